import type { Image } from '../server/calendar-api.ts'

/** The responsive image of a page, which loads first; width and height reserve its space. */
export function Picture({ image, sizes, className }: { image: Image; sizes: string; className?: string }) {
  const ratio = image.width / image.height
  // Cropped sizes show a different section, so they are left out.
  const whole = Object.values(image.sizes).filter(one => Math.abs(one.width / one.height / ratio - 1) < 0.02)
  const all = [...whole, image].sort((one, other) => one.width - other.width)
  const middle = all.find(one => one.width >= 1000) ?? image
  return (
    <img
      class={className}
      src={middle.url}
      srcset={all.map(one => `${one.url} ${one.width}w`).join(', ')}
      sizes={sizes}
      width={image.width}
      height={image.height}
      alt={image.alt ?? ''}
      fetchpriority="high"
    />
  )
}
