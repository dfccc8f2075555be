// Parses the tags of an HTML document as a browser would.

export interface Tag {
  name: string
  attributes: Record<string, string>
  isEnd: boolean
  /** The content of a script, style, title or textarea, which is not parsed as markup. */
  text: string
}

const rawText = new Set(['script', 'style', 'textarea', 'title'])

/** All tags of a document, in their order. */
export function parseTags(html: string): Tag[] {
  const tags: Tag[] = []
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    const isEnd = html[at + 1] === '/'
    const name = /^[a-z][^\s/>]*/i.exec(html.slice(at + (isEnd ? 2 : 1), at + 60))?.[0].toLowerCase()
    at += 1
    if (name === undefined) continue
    at += name.length + (isEnd ? 1 : 0)
    const tag: Tag = { name, attributes: {}, isEnd, text: '' }
    at = readAttributes(html, at, tag.attributes)
    if (!isEnd && rawText.has(name)) {
      const found = html.slice(at).search(new RegExp(`</${name}[\\s/>]`, 'i'))
      const end = found < 0 ? html.length : at + found
      tag.text = name === 'script' || name === 'style' ? html.slice(at, end) : decodeEntities(html.slice(at, end))
      at = end
    }
    tags.push(tag)
  }
  return tags
}

function readAttributes(html: string, start: number, attributes: Record<string, string>): number {
  const form = /[\s/]*(?:(>)|([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?)/y
  form.lastIndex = start
  for (let found = form.exec(html); found !== null; found = form.exec(html)) {
    const [, end, name = '', double, single, bare] = found
    if (end !== undefined) return form.lastIndex
    attributes[name.toLowerCase()] ??= decodeEntities(double ?? single ?? bare ?? '')
  }
  return html.length
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));?/gi, (whole, hex, decimal, name) =>
    name === undefined ? String.fromCodePoint(Number(hex === undefined ? decimal : `0x${hex}`)) : (named[name] ?? whole)
  )
}

const urlAttributes = ['href', 'src', 'action', 'formaction', 'srcset', 'poster', 'data', 'xlink:href', 'ping']
const forbiddenTags = ['iframe', 'object', 'embed', 'base', 'style', 'frame', 'math', 'applet', 'template', 'noscript']

/** Markup from user-written text that a browser would execute, load or submit. */
export function findDangerousMarkup(html: string): string[] {
  const dangers: string[] = []
  for (const { name, attributes, text, isEnd } of parseTags(html)) {
    if (isEnd) continue
    const isOwnEmbed = name === 'iframe' && /^\/(?:en|de)\/embed\//.test(attributes.src ?? '')
    // The page of a campaign creates further gift rows from this template.
    const isOwnTemplate = name === 'template' && attributes.id === 'gift'
    if (forbiddenTags.includes(name) && !isOwnEmbed && !isOwnTemplate) dangers.push(`<${name}>`)
    if (name === 'script' && attributes.src === undefined) dangers.push(...findDangerousData(attributes.type, text))
    if (name === 'meta' && attributes['http-equiv'] !== undefined) dangers.push('<meta http-equiv>')
    for (const [attribute, value] of Object.entries(attributes)) {
      if (attribute.startsWith('on') || attribute === 'style' || attribute === 'srcdoc')
        dangers.push(`<${name} ${attribute}=${value.slice(0, 60)}>`)
      // Browsers ignore spaces and control characters before and inside a scheme.
      const plain = value.replace(/[\p{Cc}\s]/gu, '').toLowerCase()
      if (urlAttributes.includes(attribute) && /^(?:javascript|vbscript|data):/.test(plain))
        dangers.push(`<${name} ${attribute}=${value.slice(0, 60)}>`)
      if (
        (name === 'form' || attribute === 'formaction') &&
        attribute.endsWith('action') &&
        !/^\/(?![/\\])/.test(value)
      )
        dangers.push(`<${name} ${attribute}=${value.slice(0, 60)}>`)
      if (name === 'script' && attribute === 'src' && !value.startsWith('/assets/')) dangers.push(`script ${value}`)
    }
  }
  return dangers
}

function findDangerousData(type: string | undefined, text: string): string[] {
  if (type !== 'application/ld+json') return [`<script type=${type}>`]
  try {
    JSON.parse(text)
    return []
  } catch {
    return ['invalid JSON-LD']
  }
}

export interface HtmlForm {
  action: string
  method: string
  fields: Record<string, string[]>
}

/** The forms of a page with the values that a browser would send unchanged, including the first named button. */
export function parseForms(html: string): HtmlForm[] {
  const forms: HtmlForm[] = []
  const byId = new Map<string, HtmlForm>()
  const tags = parseTags(html).map(tag => ({ ...tag, form: undefined as HtmlForm | undefined }))
  let open: HtmlForm | undefined
  for (const tag of tags) {
    if (tag.name === 'form')
      open = tag.isEnd
        ? undefined
        : { action: tag.attributes.action ?? '', method: tag.attributes.method ?? 'get', fields: {} }
    if (tag.name === 'form' && open !== undefined) {
      forms.push(open)
      byId.set(tag.attributes.id ?? '', open)
    }
    tag.form = open
  }
  let select = ''
  for (const { name, attributes, text, isEnd, form: enclosingForm } of tags) {
    const form = attributes.form === undefined ? enclosingForm : byId.get(attributes.form)
    if (form === undefined || isEnd) continue
    const add = (field: string, value: string) => {
      form.fields[field] = [...(form.fields[field] ?? []), value]
    }
    const { name: field = '', type = 'text', value = '', formaction } = attributes
    if (formaction !== undefined) forms.push({ ...form, action: formaction })
    if (name === 'select') select = field
    const isFirst = form.fields[select] === undefined
    if (name === 'option' && (isFirst || attributes.selected !== undefined)) form.fields[select] = [value]
    if (field === '') continue
    if (name === 'textarea') add(field, text)
    if (
      name === 'input' &&
      type !== 'file' &&
      (!/radio|checkbox/.test(type) || attributes.checked !== undefined || form.fields[field] === undefined)
    )
      add(field, value)
    if (name === 'button' && form.fields[field] === undefined) add(field, value)
  }
  return forms
}
