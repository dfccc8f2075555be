import { ApiError } from './api-client.ts'
import type { Image } from './calendar-api.ts'
import type { PageContext } from './context.ts'

/** The sizes of uploads, by the URL at which a campaign shows one. */
export type UploadedImages = ReadonlyMap<string, Image>

/** Loads the sizes of those URLs that are uploads. A deleted upload has none. */
export async function loadUploadedImages(
  { api }: Pick<PageContext, 'api'>,
  urls: (string | null)[]
): Promise<UploadedImages> {
  const keys = [...new Set(urls)].flatMap(url => {
    const [key] = /^\/media\/\d{1,15}\/[0-9a-f]{16}(?=\/)/.exec(url ?? '') ?? []
    return url === null || key === undefined ? [] : [{ url, key }]
  })
  const found = await Promise.all(
    keys.map(async ({ url, key }) => {
      const { body } = await api.get<Image>(key).catch(error => {
        if (error instanceof ApiError && error.status === 404) return { body: undefined }
        throw error
      })
      return body === undefined ? [] : [[url, toRelative(body)] as const]
    })
  )
  return new Map(found.flat())
}

/** Pages name their own images by path, as the URLs of campaigns do. */
function toRelative(image: Image): Image {
  const sizes = Object.entries(image.sizes).map(([name, size]) => [name, { ...size, url: toPath(size.url) }] as const)
  return { ...image, url: toPath(image.url), sizes: Object.fromEntries(sizes) }
}

const toPath = (url: string) => new URL(url).pathname
