/** An element of the file, without its namespace. Only what a booking is made of is kept as such. */
export interface XmlNode {
  name: string
  text: string
  /** The currency, the only attribute that says something in a statement. */
  currency: string
  children: XmlNode[]
}

export function newXmlNode(name: string, currency = ''): XmlNode {
  return { name, text: '', currency, children: [] }
}

/** The first element at the end of a path; undefined where there is none. */
export function findNode(node: XmlNode | undefined, ...path: string[]): XmlNode | undefined {
  let found = node
  for (const name of path) found = found?.children.find(child => child.name === name)
  return found
}

/** All elements at the end of a path, whichever way leads there. */
export function findNodes(node: XmlNode | undefined, ...path: string[]): XmlNode[] {
  let found = node === undefined ? [] : [node]
  for (const name of path) found = found.flatMap(one => one.children.filter(child => child.name === name))
  return found
}

/** What the first of the paths that leads to any text says; null where none does. */
export function findText(node: XmlNode | undefined, ...paths: string[]): string | null {
  for (const path of paths) {
    for (const found of findNodes(node, ...path.split('/'))) {
      const text = collapseWhitespace(found.text)
      if (text !== '') return text
    }
  }
  return null
}

export function collapseWhitespace(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
