// Rules of HTML that pages broke before, or that a change breaks easily: what the Nu Html Checker would call an error.
import { parseTags, type Tag } from './html.ts'

const voidTags = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
/** Elements that may only contain text and other elements of this kind. */
const phrasing = new Set(
  `a abbr b bdi bdo br button cite code data datalist del dfn em i img input ins kbd label map mark meter noscript option
  output picture progress q rp rt ruby s samp script select small source span strong sub sup svg template textarea time u var wbr
  path rect circle line g text title`.split(/\s+/)
)
const phrasingOnly = new Set(
  'p h1 h2 h3 h4 h5 h6 span strong em b i small label legend summary button time dt pre'.split(' ')
)
const interactive = new Set('a button input select textarea label details iframe'.split(' '))
/** The only elements that may be directly in these. */
const childrenOf: Record<string, string[]> = {
  ul: ['li', 'script', 'template'],
  ol: ['li', 'script', 'template'],
  dl: ['dt', 'dd', 'div', 'script', 'template'],
  table: ['caption', 'colgroup', 'thead', 'tbody', 'tfoot', 'tr'],
  tbody: ['tr'],
  thead: ['tr'],
  tfoot: ['tr'],
  tr: ['th', 'td'],
  select: ['option', 'optgroup', 'hr'],
  datalist: ['option']
}
/** The only elements that these may be directly in. */
const parentsOf: Record<string, string[]> = {
  li: ['ul', 'ol', 'menu'],
  dt: ['dl', 'div'],
  dd: ['dl', 'div'],
  tr: ['table', 'thead', 'tbody', 'tfoot'],
  td: ['tr'],
  th: ['tr'],
  legend: ['fieldset'],
  summary: ['details'],
  figcaption: ['figure'],
  caption: ['table'],
  option: ['select', 'optgroup', 'datalist']
}
const idReferences = [
  'for',
  'aria-labelledby',
  'aria-describedby',
  'aria-controls',
  'list',
  'form',
  'popovertarget',
  'headers'
]

/** The faults of a whole document, one line each. */
export function findHtmlFaults(html: string): string[] {
  const faults: string[] = []
  const open: Tag[] = []
  const ids = new Set<string>()
  const references: [Tag, string, string][] = []
  for (const tag of parseTags(html)) {
    const { name, attributes, isEnd } = tag
    if (isEnd) {
      const last = open.pop()
      if (last?.name !== name) return [...faults, `</${name}> ends <${last?.name}>`]
      continue
    }
    const { id } = attributes
    if (id !== undefined && (id === '' || /\s/.test(id))) faults.push(`${describeTag(tag)} has no proper id`)
    if (id !== undefined && ids.has(id)) faults.push(`two elements with the id ${id}`)
    ids.add(id ?? '')
    for (const attribute of idReferences) {
      for (const target of (attributes[attribute] ?? '').split(/\s+/).filter(Boolean))
        references.push([tag, attribute, target])
    }
    faults.push(...findPlaceFaults(tag, open), ...findAttributeFaults(tag))
    if (!voidTags.has(name)) open.push(tag)
  }
  if (open.length > 0) faults.push(`<${open.at(-1)?.name}> does not end`)
  for (const [tag, attribute, target] of references) {
    if (!ids.has(target)) faults.push(`${describeTag(tag)} ${attribute}: no element with the id ${target}`)
  }
  return faults
}

/** Faults of where an element is. */
function findPlaceFaults(tag: Tag, open: Tag[]): string[] {
  const { name } = tag
  const parent = open.at(-1)?.name ?? ''
  const above = open.map(one => one.name)
  if (above.includes('svg') || parent === 'template') return []
  const faults: string[] = []
  const add = (text: string) => faults.push(`${describeTag(tag)} ${text}`)
  const block = above.find(one => phrasingOnly.has(one))
  const isHeadingInLegend = /^h[1-6]$/.test(name) && (parent === 'legend' || parent === 'summary')
  if (block !== undefined && !phrasing.has(name) && !isHeadingInLegend) add(`is in <${block}>`)
  if (childrenOf[parent] !== undefined && !childrenOf[parent].includes(name)) add(`is directly in <${parent}>`)
  if (parentsOf[name] !== undefined && !parentsOf[name].includes(parent)) add(`is directly in <${parent}>`)
  const isInteractive = interactive.has(name) && tag.attributes.type !== 'hidden'
  const outer = above.find(one => one === 'a' || one === 'button')
  if (isInteractive && outer !== undefined) add(`is in <${outer}>`)
  if (name === 'form' && above.includes('form')) add('is in <form>')
  if (name === 'main' && above.includes('main')) add('is in <main>')
  return faults
}

/** Faults of the attributes of an element. */
function findAttributeFaults(tag: Tag): string[] {
  const { name, attributes } = tag
  const faults: string[] = []
  const add = (text: string) => faults.push(`${describeTag(tag)} ${text}`)
  const isMissing = (attribute: string) => attributes[attribute] === undefined
  if (name === 'img' && isMissing('alt')) add('has no alt')
  if (name === 'img' && (attributes.src ?? '') === '') add('has no src')
  if (name === 'a' && isMissing('href') && !(isMissing('rel') && isMissing('target')))
    add('has attributes of a link, and no href')
  for (const attribute of ['href', 'src', 'action', 'formaction']) {
    if (/[\s<>"\\^`{|}]/.test(attributes[attribute] ?? '')) add(`${attribute} is not encoded: ${attributes[attribute]}`)
  }
  if (name === 'form' && attributes.action === '') add('has an empty action')
  const { type = 'text', autocomplete } = attributes
  if (name === 'input' && type === 'url' && /[\s<>"\\^`{|}]/.test(attributes.value ?? ''))
    add(`has a URL that is not encoded: ${attributes.value}`)
  if (name === 'input' && type === 'hidden' && /^(?:on|off)$/.test(autocomplete ?? ''))
    add(`is hidden, with autocomplete=${autocomplete}`)
  if (name === 'input' && autocomplete === 'street-address') add('has one line, and street-address has several')
  const { datetime } = attributes
  if (
    name === 'time' &&
    datetime !== undefined &&
    !/^\d{4}-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?)?$/.test(datetime)
  )
    add(`has the datetime ${datetime}`)
  for (const attribute of ['width', 'height']) {
    if ((name === 'img' || name === 'iframe') && !/^\d*$/.test(attributes[attribute] ?? ''))
      add(`${attribute} is ${attributes[attribute]}`)
  }
  if (attributes.role === 'presentation' && name === 'a') add('is a link without a role')
  return faults
}

const describeTag = ({ name, attributes }: Tag) =>
  `<${[name, ...['id', 'class', 'name', 'type'].flatMap(one => (attributes[one] === undefined ? [] : `${one}=${attributes[one]}`))].join(' ')}>`
