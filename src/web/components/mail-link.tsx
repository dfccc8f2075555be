/**
 * A mail address that people can use without JavaScript, while programs that collect addresses from the text of pages
 * see none: every character of it is written as a reference. That also makes it safe to be written as HTML.
 */
export function MailLink({ address }: { address: string }) {
  const html = `<a class="u-email" href="${encodeCharacters(`mailto:${encodeURI(address)}`)}">${encodeCharacters(address)}</a>`
  return <span dangerouslySetInnerHTML={{ __html: html }} />
}

function encodeCharacters(text: string): string {
  return Array.from(text, letter => `&#${letter.codePointAt(0)};`).join('')
}
