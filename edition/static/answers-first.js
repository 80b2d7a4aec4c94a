/* All answers, before anything is drawn: an address with a choice or a place is settled first, so that nothing moves. */
"use strict";
if (location.hash) document.documentElement.classList.add("rv-settling");
