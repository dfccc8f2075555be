import { canParseUrl } from '#platform/url/parse-url.ts'
/** Link to a website, shown as its host name. */
export function WebLink({ address, className }: { address: string; className?: string }) {
  const url = parseWebAddress(address)
  if (url === undefined) return null
  return (
    <a class={className} href={url.href} rel="external noopener">
      {url.host.replace(/^www\./, '')}
    </a>
  )
}

/** Only http(s) URLs: other schemes may be scripts. */
export function parseWebAddress(text: string | undefined): URL | undefined {
  if (text === undefined || !canParseUrl(text)) return undefined
  const url = new URL(text)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined
}
