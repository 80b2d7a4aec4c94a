"""Checks of the record of a source, its coders and its notes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rulebook.colours import COLOUR_SLOTS
from rulebook.model import SHORT_DATE_LENGTH, SHORT_NAME_LENGTH, Source
from rulebook.page_images import list_page_images
from rulebook.problems import Problem, Where
from rulebook.quotations import list_loci
from rulebook.sources.assembled_library import AssembledLibrary
from rulebook.sources.published_ids import iter_own_ids
from rulebook.strings import LANGUAGE_TAG_PATTERN, quote_value
from rulebook.suggestions import did_you_mean


def a_language_is_named_as_the_web_names_it(case: AssembledLibrary) -> Iterator[Problem]:
    """Files, headings and the voice that reads a page aloud go by the language of a source."""
    for source in case.library.sources.values():
        if not LANGUAGE_TAG_PATTERN.fullmatch(source.language):
            what = f"the language {quote_value(source.language)} is not well formed"
            yield case.at(source.where, "language").problem(what, "write it in two letters: fr, de, en")


def short_names_and_dates_fit(case: AssembledLibrary) -> Iterator[Problem]:
    """A short name and a short date fit on a chip and over a column."""
    for source in case.library.sources.values():
        for key, most in (("short_name", SHORT_NAME_LENGTH), ("short_date", SHORT_DATE_LENGTH)):
            given = str(source.record.get(key) or "")
            if len(given) > most:
                what = f"the {key} of {source.siglum} has {len(given)} characters, and there is room for {most}"
                yield case.at(source.where, key).problem(what, "shorten it; the full form has its own entry")


def a_colour_is_a_slot_of_its_own(case: AssembledLibrary) -> Iterator[Problem]:
    """Every colour is a slot of the palette, and no two sources have one while another slot is free."""
    sources = [coloured for coloured in case.library.sources.values() if coloured.colour is not None]
    taken: dict[int, str] = {}
    free = sorted({*range(1, COLOUR_SLOTS + 1)} - {coloured.colour for coloured in sources})
    for source in sources:
        slot, where = source.colour or 0, case.at(source.where, "colour")
        if not 1 <= slot <= COLOUR_SLOTS:
            way_out = f"take one of 1 to {COLOUR_SLOTS}, or leave it out for the first that is free"
            yield where.problem(f"the palette has no colour {slot}", way_out)
        elif slot in taken and free:
            what = f"{source.siglum} has colour {slot}, which is that of {taken[slot]}"
            yield where.problem(what, f"take {free[0]}, which is free, or leave it out")
        taken.setdefault(slot, source.siglum)


_MOST_NAMED = 10**6  #: the greatest number that a word may stand for; nobody plays for more


def words_for_numbers_are_words(case: AssembledLibrary) -> Iterator[Problem]:
    """A source's own words for numbers have letters, and name numbers that one plays for."""
    for source in case.library.sources.values():
        own = source.record.get("numbers")
        for word, value in own.items() if isinstance(own, Mapping) else ():
            place = case.at(source.where, "numbers", str(word))
            if not any(letter.isalpha() for letter in str(word)):
                yield place.problem(
                    f"numbers: {quote_value(word)} is no word", "write the words of the page: {undici: 11}"
                )
            elif abs(value) > _MOST_NAMED:
                yield place.problem(f"numbers: {word}: {value} is too much", f"the most is {_MOST_NAMED}")


def an_end_that_was_not_consulted_names_its_sentence(case: AssembledLibrary) -> Iterator[Problem]:
    """`begins_late` names the first sentence that we have, `breaks_off` the last, and neither one that is not there."""
    for source in case.library.sources.values():
        loci = list(list_loci(source))
        for key, end in (("begins_late", 0), ("breaks_off", -1)) if loci else ():
            note = str(source.record.get(key) or "")
            named = set(re.findall(rf"\b{source.siglum}\.[sn]\d+\b", note))
            wrong = sorted(named - set(loci))
            if wrong:
                what = f"{key} names {', '.join(wrong)}, which {source.siglum} does not have"
                yield case.at(source.where, key).problem(what, f"it has {loci[0]} to {loci[-1]}")
            elif note and loci[end] not in named:
                what = f"{key} does not name {loci[end]}, the {'first' if end == 0 else 'last'} sentence that we have"
                yield case.at(source.where, key).problem(
                    what, "name it, and say what is known of where the rest stands"
                )


def page_images_are_on_the_web(case: AssembledLibrary) -> Iterator[Problem]:
    """Addresses of page images are those of the web, each given once; who saw images says so of the source."""
    for source in case.library.sources.values():
        images = list_page_images(source)
        addresses = [each.address for each in images]
        for key in filter(source.record.get, ("image_link", "iiif_manifest")):
            yield from _find_bad_address(case.at(source.where, key), key, str(source.record[key]))
        for at, each in enumerate(images):
            place = case.at(source.where, "images", at, "address")
            yield from _find_bad_address(place, "images", each.address)
            if each.address in addresses[:at]:
                yield place.problem(f"images: {each.address} stands twice", "say in one entry all that it shows")
            if each.seen and not source.record.get("images_seen"):
                what = "images: these were seen, and images_seen says that none were"
                yield case.at(source.where, "images", at, "seen").problem(
                    what, "write images_seen: true, or seen: false"
                )


def _find_bad_address(place: Where, key: str, address: str) -> Iterator[Problem]:
    if not _WEB_ADDRESS.fullmatch(address):
        what = f"{key}: {quote_value(address)} is no address of the web"
        yield place.problem(what, "write it whole: https://...")


_WEB_ADDRESS = re.compile(r"https?://[^\s<>\"{}|\\^`]+")


def coders_are_known(case: AssembledLibrary) -> Iterator[Problem]:
    """Coders, reviewers and annotators are named in source.yaml."""
    for source in case.library.sources.values():
        coders = _list_coders(source)
        people = [(c.id, c.where, key, getattr(c, key)) for c in source.clauses for key in ("coder", "reviewer")]
        people += [(note.id, note.where, "by", note.by) for note in source.notes]
        for owner, where, key, name in people:
            if name not in coders and (name or key != "reviewer"):
                what = f"{owner}: {key} {quote_value(name)} is not among the coders of {source.siglum}"
                way_out = did_you_mean(name, coders, f"name them in {source.where.file}")
                yield case.at(where, key).problem(what, way_out)


def _list_coders(source: Source) -> tuple[str, ...]:
    named = source.record.get("coders", ())
    items = named if isinstance(named, (list, tuple)) else ()
    return tuple(str(coder.get("id", "")) for coder in items if isinstance(coder, Mapping))


# --- notes ----------------------------------------------------------------------------------------------------


def every_note_is_on_something(case: AssembledLibrary) -> Iterator[Problem]:
    """A note points to something that exists."""
    for source in case.library.sources.values():
        known = {*list_loci(source), *(id for kind, id, _ in iter_own_ids(source) if kind != "note"), source.siglum}
        known |= set(source.text.emendations) if source.text else set()
        for note in source.notes:
            if note.on not in known and list_loci(source):
                what = f"{note.id} is on {note.on}, which there is not"
                way_out = did_you_mean(note.on, known, "give the id of a sentence, an emendation or a statement")
                yield case.at(note.where, "on").problem(what, way_out)


def every_emendation_has_a_note(case: AssembledLibrary) -> Iterator[Problem]:
    """No emendation without its reason."""
    for source in case.library.sources.values():
        noted = {note.on for note in source.notes}
        folder = source.where.file.rpartition("/")[0]
        for emendation in source.text.emendations.values() if source.text else ():
            if emendation.id not in noted:
                what = f"{emendation.id} ({emendation.sic} > {emendation.corr}) has no note"
                place = Where(f"{folder}/text.xml", emendation.line)
                yield place.problem(what, f"give the reason in {folder}/notes.yaml, on: {emendation.id}")
