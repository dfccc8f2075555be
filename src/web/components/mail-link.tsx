/**
 * Mail link that works without JavaScript, while address harvesters that scan the page's text find nothing: every
 * character is a character reference. This also makes it safe to insert as HTML.
 */
export function MailLink({ address }: { address: string }) {
  const html = `<a class="u-email" href="${encodeCharacters(`mailto:${encodeURI(address)}`)}">${encodeCharacters(address)}</a>`
  return <span dangerouslySetInnerHTML={{ __html: html }} />
}

/** The same for all mail addresses in sanitized HTML, in its text and in its attributes. */
export function encodeMailAddresses(html: string): string {
  return html.replace(mailAddresses, encodeCharacters)
}

/** For the description of a page, which is read by harvesters as well. */
export function removeMailAddresses(html: string): string {
  return html.replace(mailAddresses, '')
}

const mailAddresses = /(?:mailto:)?[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g

function encodeCharacters(text: string): string {
  return Array.from(text, letter => `&#${letter.codePointAt(0)};`).join('')
}
