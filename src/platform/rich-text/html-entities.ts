/** The HTML 4 entities that occur in titles: from code 160 on in code order, then the others with their characters. */
export const htmlEntities = new Map([
  ...splitWords(
    `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro
    para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil
    Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave
    Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml
    igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute
    thorn yuml`
  ).map((name, place) => [name, String.fromCodePoint(160 + place)] as const),
  ...splitWords(
    `amp=& lt=< gt=> quot=" apos=' OElig=Œ oelig=œ Scaron=Š scaron=š Zcaron=Ž zcaron=ž Yuml=Ÿ fnof=ƒ circ=ˆ tilde=˜
    ndash=– mdash=— lsquo=‘ rsquo=’ sbquo=‚ ldquo=“ rdquo=” bdquo=„ dagger=† bull=• hellip=… permil=‰ prime=′ Prime=″
    lsaquo=‹ rsaquo=› euro=€ trade=™ larr=← uarr=↑ rarr=→ darr=↓ harr=↔ minus=− infin=∞ ne=≠ le=≤ ge=≥ hearts=♥`
  ).map(pair => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const)
])

/** Splits a word list that spans several lines. */
export function splitWords(list: string): string[] {
  return list.split(/\s+/)
}
