// Writes the types of the messages from the English catalogues, so that a missing or misspelt message or argument does not compile.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readFolder } from '../src/platform/messages/catalogue-files.ts'
import { type ArgumentType, listArguments, parseMessage } from '../src/platform/messages/message-arguments.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const file = join(root, 'src', 'platform', 'messages', 'catalogue.ts')

type Tree = { [key: string]: string | Tree }

const types: Record<ArgumentType, string> = {
  text: 'string | number',
  number: 'number',
  boolean: 'boolean',
  choice: 'string'
}

const text = `// Generated from messages/en by scripts/message-types.ts.
export interface Catalogue {
${readFolder(join(root, 'messages', 'en'))
  .map(([area, messages]) => `  '${area}': ${writeTree(buildTree(area, messages), '  ')}\n`)
  .join('')}}
`
// Left alone where nothing changed: a new time would have it built again.
if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)

function buildTree(area: string, messages: Record<string, string>): Tree {
  const tree: Tree = {}
  for (const [key, message] of Object.entries(messages)) {
    let at = tree
    const path = key.split('.')
    for (const part of path.slice(0, -1)) {
      at[part] ??= {}
      const inner = at[part]
      if (typeof inner === 'string') throw new Error(`messages/en/${area}.json: ${key} is below a message.`)
      at = inner
    }
    const last = path.at(-1) ?? ''
    if (at[last] !== undefined) throw new Error(`messages/en/${area}.json: ${key} is a message and a group.`)
    at[last] = message
  }
  return tree
}

function writeTree(tree: Tree, indent: string): string {
  const entries = Object.entries(tree)
  const isArray = entries.length > 0 && entries.every(([key], index) => key === String(index))
  const inner = `${indent}  `
  const lines = entries.map(([key, value]) => {
    const name = isArray ? '' : `${/^(?:[a-z_]\w*|0|[1-9]\d*)$/i.test(key) ? key : JSON.stringify(key)}: `
    if (typeof value !== 'string') return `${inner}${name}${writeTree(value, inner)}`
    return `${inner}/** ${value.replaceAll('*/', '*\\/').replace(/\s+/g, ' ')} */\n${inner}${name}${writeMessage(value)}`
  })
  return isArray ? `[\n${lines.join(',\n')}\n${indent}]` : `{\n${lines.join('\n')}\n${indent}}`
}

function writeMessage(message: string): string {
  const found = [...listArguments(parseMessage(message))]
  if (found.length === 0) return 'string'
  return `(values: { ${found.map(([name, type]) => `${name}: ${types[type]}`).join('; ')} }) => string`
}
