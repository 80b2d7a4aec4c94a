/* The cards that are pictured when they are played: the one card that everything turns on. */
window.picturedCards = ["JH"];
