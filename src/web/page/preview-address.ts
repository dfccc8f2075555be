/** Query parameter of a page's path that asks for its preview image instead. */
export const previewParameter = 'preview-image'

export function addPreviewQuery(address: string, hash: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}${previewParameter}=${hash}`
}
