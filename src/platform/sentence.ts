/** Adds a full stop, unless the text ends with one, as the name "Förderverein e. V." does. */
export function endSentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`
}
