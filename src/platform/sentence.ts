/** The text with a full stop; one that ends with a full stop, as the name "Förderverein e. V.", does not get a second one. */
export function endSentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`
}
