import type { Language } from '#platform/language.ts'
import type { Image } from '../server/calendar-api.ts'
import type { UploadedImages } from '../server/uploaded-images.ts'

/** The responsive image of a page, which loads first; width and height reserve its space. */
export function Picture({ image, sizes, className }: { image: Image; sizes: string; className?: string }) {
  const all = listWholeSizes(image)
  const middle = all.find(one => one.width >= 1000) ?? image
  return (
    <img
      class={className}
      src={middle.url}
      srcset={formatSrcset(all)}
      sizes={sizes}
      width={image.width}
      height={image.height}
      alt={image.alt ?? ''}
      fetchpriority="high"
    />
  )
}

/** An image by its URL; an upload has several sizes to choose from, an image of another site has not. */
export function ImageAtUrl({
  url,
  images,
  sizes,
  alt,
  lang,
  className,
  isFirst
}: {
  url: string
  images: UploadedImages
  sizes: string
  alt: string
  lang?: Language | undefined
  className?: string
  /** Loads at once, unlike those further down. */
  isFirst?: boolean
}) {
  const image = images.get(url)
  const upload =
    image === undefined
      ? {}
      : { srcset: formatSrcset(listWholeSizes(image)), sizes, width: image.width, height: image.height }
  const loading = isFirst === true ? ({ fetchpriority: 'high' } as const) : ({ loading: 'lazy' } as const)
  return <img class={className} src={url} {...upload} alt={alt} lang={lang} {...loading} />
}

type Size = Pick<Image, 'url' | 'width' | 'height'>

/** Cropped sizes show a different section, so they are left out. */
function listWholeSizes(image: Image): Size[] {
  const ratio = image.width / image.height
  const whole = Object.values(image.sizes).filter(one => Math.abs(one.width / one.height / ratio - 1) < 0.02)
  return [...whole, image].sort((one, other) => one.width - other.width)
}

function formatSrcset(all: Size[]): string {
  return all.map(({ url, width }) => `${url} ${width}w`).join(', ')
}
