import { decodeEntities, toMultilineText } from '#platform/rich-text/html.ts'
import { tokenize } from '#platform/rich-text/html-tokens.ts'
import { parseAttributes } from '../sources/tec/description.ts'

/** What a reader gets from an HTML text. */
export interface TextContent {
  words: string[]
  /** Addresses of links and of images, sorted. */
  links: string[]
  images: string[]
}

/** Reads a text; `resolve` makes addresses comparable, and drops one by returning undefined. */
export function readTextContent(html: string, resolve: (address: string) => string | undefined): TextContent {
  const links: string[] = []
  const images: string[] = []
  for (const { name, closes, text } of tokenize(html)) {
    if (closes || (name !== 'a' && name !== 'img')) continue
    const given = parseAttributes(text.slice(name.length + 1))
    const address = resolve(decodeEntities(given.get(name === 'a' ? 'href' : 'src') ?? '').trim())
    if (address !== undefined) (name === 'a' ? links : images).push(address)
  }
  return { words: splitIntoWords(toMultilineText(html)), links: links.sort(), images: images.sort() }
}

const splitIntoWords = (text: string) => text.split(/[\s\u00a0]+/).filter(word => word !== '')

/** The part in which two lists differ, with a few items around it. */
export function findDifference(theirs: string[], ours: string[]): { theirs: string; ours: string } | undefined {
  let start = 0
  while (start < theirs.length && start < ours.length && theirs[start] === ours[start]) start += 1
  if (start === theirs.length && start === ours.length) return undefined
  let end = 0
  while (
    end < Math.min(theirs.length, ours.length) - start &&
    theirs[theirs.length - 1 - end] === ours[ours.length - 1 - end]
  )
    end += 1
  const show = (list: string[]) => list.slice(Math.max(0, start - 3), list.length - Math.max(0, end - 3)).join(' ')
  return { theirs: show(theirs), ours: show(ours) }
}

/** What one list has more often than the other. */
export function listMissing(all: string[], some: string[]): string[] {
  const left = [...some]
  return all.filter(one => {
    const at = left.indexOf(one)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
