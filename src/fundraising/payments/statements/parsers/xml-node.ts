/** An element without its namespace. Only elements needed for a booking are kept. */
export interface XmlNode {
  name: string
  text: string
  /** The currency, the only meaningful attribute in a statement. */
  currency: string
  children: XmlNode[]
}

export function newXmlNode(name: string, currency = ''): XmlNode {
  return { name, text: '', currency, children: [] }
}

/** The first element at the path; undefined if there is none. */
export function findNode(node: XmlNode | undefined, ...path: string[]): XmlNode | undefined {
  let found = node
  for (const name of path) found = found?.children.find(child => child.name === name)
  return found
}

/** All elements at the path. */
export function findNodes(node: XmlNode | undefined, ...path: string[]): XmlNode[] {
  let found = node === undefined ? [] : [node]
  for (const name of path) found = found.flatMap(one => one.children.filter(child => child.name === name))
  return found
}

/** The text of the first path that has any; null if none has. */
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
