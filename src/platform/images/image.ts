import type sharp from 'sharp'
import type { Metadata, Sharp } from 'sharp'

/** A small file may decompress to gigabytes, so the dimensions in its header are checked before decoding. */
const sideMax = 12_000
const pixelsMax = 50_000_000
/** The AVIF codec needs about 24 bytes per pixel, four times as much as the others. */
const pixelsMaxAvif = 25_000_000
const framesMax = 500
/** No legitimate picture within these limits takes that long. */
const secondsMax = 60
/** Each one holds up to all its pixels in memory: more at once would cost memory, not save time. */
const concurrencyMax = 2

let loading: Promise<typeof sharp> | undefined

/** Loaded with the first picture, so that it does not delay the start. */
async function loadSharp(): Promise<typeof sharp> {
  loading ??= importSharp()
  return await loading
}

async function importSharp(): Promise<typeof sharp> {
  const { default: loaded } = await import('sharp')
  // Pictures are processed beside requests: one thread each leaves the other cores to requests.
  loaded.concurrency(1)
  // No picture is processed twice, so the library's cache would only waste memory.
  loaded.cache(false)
  // Decoders of SVG, TIFF and other formats are attack surface for files that are not needed here.
  loaded.block({ operation: ['VipsForeignLoad'] })
  loaded.unblock({
    operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map(reader => `VipsForeignLoad${reader}Buffer`)
  })
  return loaded
}

export interface Picture {
  /** Without the dot. */
  extension: string
  mimeType: string
  width: number
  height: number
  bytes: Buffer
}

/** Re-encodes the picture upright and without metadata; undefined if it is not an accepted picture. */
export async function readPicture(bytes: Buffer): Promise<Picture | undefined> {
  const format = detectFormat(bytes)
  if (format === undefined) return undefined
  return await runLimited(async () => {
    const sharp = await loadSharp()
    // The library reports errors only as text, and all of them are about the file.
    const metadata = await sharp(bytes, readOptions).metadata().catch(returnUndefined)
    if (metadata === undefined || !isWithinLimits(metadata)) return undefined
    const isAnimated = format.canMove && (metadata.pages ?? 1) > 1
    const image = isAnimated ? sharp(bytes, { ...readOptions, animated: true }) : sharp(bytes, readOptions).autoOrient()
    return await encodePicture(image, format, originalQuality).catch(returnUndefined)
  })
}

/** WordPress' sizes that are smaller than the picture; animations show their first frame, as in WordPress. */
export async function createSizes(picture: Picture): Promise<Record<string, Picture>> {
  const format = formats.find(({ extension }) => extension === picture.extension)
  if (format === undefined) throw new Error(`Unknown image extension ${picture.extension}.`)
  return await runLimited(async () => {
    const sharp = await loadSharp()
    const sizes: Record<string, Picture> = {}
    for (const [name, size] of Object.entries(wordPressSizes)) {
      const { width, height } = size.crops ? computeCrop(picture, size) : computeFit(picture, size)
      if (width === picture.width && height === picture.height) continue
      const image = sharp(picture.bytes, readOptions).resize(width, height, { fit: size.crops ? 'cover' : 'fill' })
      sizes[name] = await encodePicture(image, format, sizeQuality)
    }
    return sizes
  })
}

/** Renders our own SVG drawing as a photo would be stored. */
export async function drawPicture(svg: string): Promise<Picture> {
  const [jpeg] = formats
  if (jpeg === undefined) throw new Error('No image format is available.')
  return await renderSvg(svg, async image => await encodePicture(image, jpeg, originalQuality))
}

/** Renders our own SVG drawing of few colours. */
export async function drawPng(svg: string): Promise<Buffer> {
  return await runLimited(
    async () => await renderSvg(svg, async image => await image.png({ palette: true, colours: 64 }).toBuffer())
  )
}

/** A stored picture as a square PNG, with the background around it; transparent without one. */
export async function fitIntoSquare(picture: Buffer, side: number, background?: string): Promise<Buffer> {
  return await runLimited(async () => {
    const sharp = await loadSharp()
    const transparent = { r: 0, g: 0, b: 0, alpha: 0 }
    const image = sharp(picture, readOptions).resize(side, side, {
      fit: 'contain',
      background: background ?? transparent
    })
    return await (background === undefined ? image : image.flatten({ background })).png().toBuffer()
  })
}

/**
 * Enables the SVG decoder meanwhile, which is safe: uploads must look like one of the formats above before any decoder
 * sees them.
 */
async function renderSvg<Result>(svg: string, encode: (image: Sharp) => Promise<Result>): Promise<Result> {
  const sharp = await loadSharp()
  svgReaders += 1
  sharp.unblock(svgReader)
  try {
    return await encode(sharp(Buffer.from(svg)))
  } finally {
    svgReaders -= 1
    if (svgReaders === 0) sharp.block(svgReader)
  }
}

let svgReaders = 0
const svgReader = { operation: ['VipsForeignLoadSvgBuffer'] }

const readOptions = { failOn: 'error', limitInputPixels: pixelsMax } as const
const returnUndefined = () => undefined

interface Format {
  extension: string
  mimeType: string
  canMove: boolean
  isIn(bytes: Buffer): boolean
  write(image: Sharp, quality: Quality): Sharp
}

/** The same visual quality needs a different number in each format. */
interface Quality {
  jpeg: number
  webp: number
  avif: number
}
const originalQuality: Quality = { jpeg: 92, webp: 90, avif: 70 }
const sizeQuality: Quality = { jpeg: 82, webp: 82, avif: 55 }

const formats: Format[] = [
  {
    extension: 'jpg',
    mimeType: 'image/jpeg',
    canMove: false,
    isIn: bytes => startsWith(bytes, 0, '\xff\xd8\xff'),
    write: (image, { jpeg }) => image.jpeg({ quality: jpeg, progressive: true })
  },
  {
    extension: 'png',
    mimeType: 'image/png',
    canMove: false,
    isIn: bytes => startsWith(bytes, 0, '\x89PNG\r\n\x1a\n'),
    write: image => image.png()
  },
  {
    extension: 'gif',
    mimeType: 'image/gif',
    canMove: true,
    isIn: bytes => startsWith(bytes, 0, 'GIF87a') || startsWith(bytes, 0, 'GIF89a'),
    write: image => image.gif()
  },
  {
    extension: 'webp',
    mimeType: 'image/webp',
    canMove: true,
    isIn: bytes => startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP'),
    write: (image, { webp }) => image.webp({ quality: webp })
  },
  {
    extension: 'avif',
    mimeType: 'image/avif',
    canMove: false,
    isIn: isAvif,
    // The next effort level takes six times as long and saves only 5 % of the size.
    write: (image, { avif }) => image.avif({ quality: avif, effort: 0 })
  }
]

/** By content, never by file name: what matters is how a browser interprets the bytes. */
function detectFormat(bytes: Buffer): Format | undefined {
  return formats.find(({ isIn }) => isIn(bytes))
}

function startsWith(bytes: Buffer, at: number, mark: string): boolean {
  return bytes.toString('latin1', at, at + mark.length) === mark
}

/** The container holds several formats: the first box declares them, as major or as compatible brand. */
function isAvif(bytes: Buffer): boolean {
  if (bytes.length < 16 || !startsWith(bytes, 4, 'ftyp')) return false
  const kinds = bytes.toString('latin1', 8, Math.min(bytes.readUInt32BE(0), 256)).match(/.{4}/gs)
  return kinds?.some(kind => kind === 'avif' || kind === 'avis') ?? false
}

function isWithinLimits({ width, height, pages = 1, format, compression }: Metadata): boolean {
  // The same container with a codec that browsers do not support.
  if (format === 'heif' && compression !== 'av1') return false
  const most = format === 'heif' ? pixelsMaxAvif : pixelsMax
  return Math.max(width, height) <= sideMax && width * height * pages <= most && pages <= framesMax
}

async function encodePicture(image: Sharp, { extension, mimeType, write }: Format, quality: Quality): Promise<Picture> {
  const { data, info } = await write(image.timeout({ seconds: secondsMax }), quality).toBuffer({
    resolveWithObject: true
  })
  return { extension, mimeType, width: info.width, height: info.pageHeight ?? info.height, bytes: data }
}

interface Size {
  width: number
  height: number
  crops: boolean
}

const newFitSize = (width: number, height: number): Size => ({ width, height, crops: false })
const wordPressSizes: Record<string, Size> = {
  thumbnail: { width: 150, height: 150, crops: true },
  medium: newFitSize(300, 300),
  medium_large: newFitSize(768, Number.POSITIVE_INFINITY),
  large: newFitSize(1024, 1024),
  '1536x1536': newFitSize(1536, 1536),
  '2048x2048': newFitSize(2048, 2048)
}

type Extent = Pick<Picture, 'width' | 'height'>

function computeCrop(picture: Extent, size: Size): Extent {
  return { width: Math.min(picture.width, size.width), height: Math.min(picture.height, size.height) }
}

function computeFit(picture: Extent, size: Size): Extent {
  const scale = Math.min(1, size.width / picture.width, size.height / picture.height)
  const scaled = (side: number) => Math.max(1, Math.round(side * scale))
  return { width: scaled(picture.width), height: scaled(picture.height) }
}

let runningCount = 0
const waitQueue: (() => void)[] = []

async function runLimited<Result>(work: () => Promise<Result>): Promise<Result> {
  if (runningCount < concurrencyMax) runningCount += 1
  else await new Promise<void>(resolve => waitQueue.push(resolve))
  try {
    return await work()
  } finally {
    const next = waitQueue.shift()
    if (next === undefined) runningCount -= 1
    else next()
  }
}
