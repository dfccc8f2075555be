import { xml } from '../site/feeds/news-xml.ts'

/** The code of a frame, for somebody's page. */
export function frameCode(frame: { src: string; title: string; width: number | string; height: number }): string {
  const { src, title, width, height } = frame
  return `<iframe src="${xml(src)}" title="${xml(title)}" width="${width}" height="${height}" loading="lazy" style="border:0;max-width:100%"></iframe>`
}

/** The code of an element: its script, and the element with what it shows until then, and where there are no scripts. */
export function elementCode(
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
    return [value === true ? attribute : `${attribute}="${xml(String(value))}"`]
  })
  return `<script type="module" src="${xml(origin)}/widgets/v1.js"></script>
<${[name, ...written].join(' ')}>
  <a href="${xml(instead.href)}">${xml(instead.label)}</a>
</${name}>`
}
