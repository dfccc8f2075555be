import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../project-root.ts'

/** The code blocks under a heading of a document, up to the next heading of any level. Throws if there are none. */
export function readBlocks(document: string, heading: string): string[] {
  const section = readSection(document, heading)
  const blocks = [...section.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  if (blocks.length === 0) throw new Error(`${document} has no code block under "${heading}".`)
  return blocks
}

/** The only code block under a heading. */
export function readBlock(document: string, heading: string): string {
  const [block = '', ...others] = readBlocks(document, heading)
  if (others.length > 0) throw new Error(`${document} has several code blocks under "${heading}".`)
  return block
}

/** The headings with code blocks under them. */
export function listHeadings(document: string): string[] {
  return splitByHeading(document).flatMap(([heading, text]) => (text.includes('\n```') ? [heading] : []))
}

/** The symptoms in the table under Troubleshooting in docs/operations.md: output of the program, with … for variable parts. */
export function readSymptoms(): string[] {
  const rows = readSection('docs/operations.md', 'Troubleshooting').matchAll(/^\| `([^`]+)`[^|]* \| .+ \|$/gm)
  return [...rows].map(([, symptom = '']) => symptom)
}

/** A pattern for a symptom of the table; throws if the table does not have it. */
export function findSymptom(beginning: string): RegExp {
  const symptom = readSymptoms().find(text => text.startsWith(beginning))
  if (symptom === undefined) throw new Error(`docs/operations.md has no symptom that begins with "${beginning}".`)
  const parts = symptom.split('…').map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(
    parts
      .join('.*')
      .replace(/\bNAME\b/, '\\w+.*')
      .replace('8080', '\\d+')
  )
}

function readSection(document: string, heading: string): string {
  const section = splitByHeading(document).find(([found]) => found === heading)
  if (section === undefined) throw new Error(`${document} has no heading "${heading}".`)
  return section[1]
}

/** Each heading with the text up to the next one. A line of a code block may begin with # as well. */
function splitByHeading(document: string): [heading: string, text: string][] {
  const sections: [string, string][] = []
  let isInBlock = false
  for (const line of readFileSync(join(root, document), 'utf8').split('\n')) {
    if (line.startsWith('```')) isInBlock = !isInBlock
    const section = sections.at(-1)
    if (!isInBlock && /^#{1,6} /.test(line)) sections.push([line.replace(/^#+ /, ''), ''])
    else if (section !== undefined) section[1] += `${line}\n`
  }
  return sections
}
