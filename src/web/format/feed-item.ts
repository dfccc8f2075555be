import type { Language } from '#platform/language.ts'

/** Permanent tag URI (RFC 4151), of this host and language. */
export function buildTagUri({ origin, language }: { origin: string; language: Language }, thing: string): string {
  return `tag:${new URL(origin).hostname},2026:${language}/${thing}`
}

const types: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  svg: 'image/svg+xml'
}

/** Media type by file extension: feed readers need it before they fetch the image. */
export function getImageType(url: string): string {
  const ending = /\.(\w{3,4})(?:[?#]|$)/.exec(url.slice(-300))?.[1]?.toLowerCase()
  return types[ending ?? ''] ?? 'image/jpeg'
}
