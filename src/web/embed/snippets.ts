import { escapeXml } from '#platform/http/feed-xml.ts'

/** HTML snippet of an iframe. */
export function buildIframeSnippet(frame: {
  src: string
  title: string
  width: number | string
  height: number
}): string {
  const { src, title, width, height } = frame
  return `<iframe src="${escapeXml(src)}" title="${escapeXml(title)}" width="${width}" height="${height}" loading="lazy" style="border:0;max-width:100%"></iframe>`
}

/** HTML snippet of a custom element: its script, and the element with fallback content until it has loaded. */
export function buildElementSnippet(
  origin: string,
  element: {
    name: string
    attributes: Record<string, string | number | boolean | undefined>
    instead: { href: string; label: string }
  }
): string {
  const { name, attributes, instead } = element
  const written = Object.entries(attributes).flatMap(([attribute, value]) => {
    if (value === undefined || value === '' || value === false) return []
    return [value === true ? attribute : `${attribute}="${escapeXml(String(value))}"`]
  })
  return `<script type="module" src="${escapeXml(origin)}/widgets/v1.js"></script>
<${[name, ...written].join(' ')}>
  <a href="${escapeXml(instead.href)}">${escapeXml(instead.label)}</a>
</${name}>`
}
