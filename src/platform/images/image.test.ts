import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import fc from 'fast-check'
import sharp, { type Sharp } from 'sharp'
import { countRuns, skipUnlessFull } from '#test/support/full-run.ts'
import { createSizes, type Picture, readPicture } from './image.ts'

const formats = { jpeg: 'jpg', png: 'png', webp: 'webp', gif: 'gif', avif: 'avif' } as const
type Format = keyof typeof formats

const blank = (width: number, height: number, background = '#3366cc') =>
  sharp({ create: { width, height, channels: 3, background } })
const fileOf = async (format: Format, width = 40, height = 30) => await blank(width, height)[format]().toBuffer()

/** An animation with frames of different colours, so that none can be merged. */
async function animation(format: 'gif' | 'webp', width = 40, height = 30, frames = 3): Promise<Buffer> {
  const colours = Array.from({ length: frames }, (_, index) => ['#ff0000', '#00ff00', '#0000ff'][index % 3])
  const files = colours.map(async colour => await blank(width, height, colour).png().toBuffer())
  const joined = sharp(await Promise.all(files), { join: { animated: true } })
  return await joined[format]({ delay: Array(frames).fill(120), loop: 2 }).toBuffer()
}

async function readValid(bytes: Buffer): Promise<Picture> {
  const picture = await readPicture(bytes)
  assert.ok(picture !== undefined, 'The image is refused.')
  return picture
}

async function readColour(bytes: Buffer, left: number, top: number): Promise<number[]> {
  const { data } = await sharp(bytes)
    .extract({ left, top, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data]
}

test('images of five formats are recognised by their content', async () => {
  for (const format of Object.keys(formats) as Format[]) {
    const picture = await readValid(await fileOf(format))
    const { bytes, ...rest } = picture
    assert.deepEqual(rest, { extension: formats[format], mimeType: `image/${format}`, width: 40, height: 30 })
    const { mediaType, width, height } = await sharp(bytes).metadata()
    assert.deepEqual([mediaType, width, height], [`image/${format}`, 40, 30])
    const colour = await readColour(bytes, 20, 15)
    assert.ok(
      [0x33, 0x66, 0xcc].every((expected, index) => Math.abs((colour[index] ?? 0) - expected) < 8),
      `${format} ${colour}`
    )
  }
})

test('unusual images are accepted: greyscale, transparent, 16 bits, CMYK, interlaced', async () => {
  const clear = sharp({ create: { width: 9, height: 7, channels: 4, background: { r: 1, g: 2, b: 3, alpha: 0 } } })
  const files: [file: Sharp, extension: string, isClear: boolean][] = [
    [blank(9, 7).grayscale().jpeg(), 'jpg', false],
    [blank(9, 7).toColourspace('cmyk').jpeg(), 'jpg', false],
    [blank(9, 7).jpeg({ progressive: true }), 'jpg', false],
    [blank(9, 7).toColourspace('rgb16').png(), 'png', false],
    [blank(9, 7).png({ palette: true, progressive: true }), 'png', false],
    [clear.clone().png(), 'png', true],
    [clear.clone().gif(), 'gif', true],
    [clear.clone().webp({ lossless: true }), 'webp', true],
    [clear.clone().avif(), 'avif', true]
  ]
  for (const [file, extension, isClear] of files) {
    const picture = await readValid(await file.toBuffer())
    assert.deepEqual([picture.extension, picture.width, picture.height], [extension, 9, 7])
    const { hasAlpha, space } = await sharp(picture.bytes).metadata()
    assert.notEqual(space, 'cmyk')
    assert.equal(hasAlpha, isClear, extension)
  }
})

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><script>alert(1)</script></svg>'

test('files of other formats are refused', async () => {
  const jpeg = await fileOf('jpeg')
  const avif = await fileOf('avif')
  const heic = Buffer.from(avif)
  heic.write('heic', 8, 'latin1')
  heic.write('heicmif1', 16, 'latin1')
  const none: Record<string, Buffer> = {
    nothing: Buffer.alloc(0),
    text: Buffer.from('no picture at all'),
    'a page': Buffer.from('<!doctype html><script>alert(1)</script>'),
    SVG: Buffer.from(svg),
    'SVG with a declaration': Buffer.from(`<?xml version="1.0"?>${svg}`),
    TIFF: await blank(40, 30).tiff().toBuffer(),
    PDF: Buffer.from('%PDF-1.7\n%%EOF'),
    HEIC: heic,
    'HEIC that claims to be AVIF too': Buffer.from('\0\0\0\x18ftypheic\0\0\0\0avifheic', 'latin1'),
    BMP: Buffer.concat([Buffer.from('BM'), Buffer.alloc(100)]),
    'raw pixels': Buffer.alloc(1000, 0x7f),
    ...Object.fromEntries(
      [
        '\xff\xd8\xff',
        '\x89PNG\r\n\x1a\n',
        'GIF89a',
        'RIFF\0\0\0\0WEBP',
        '\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf'
      ].flatMap(mark => [
        [`only ${mark}`, Buffer.from(mark, 'latin1')],
        [`${mark} and a page`, Buffer.from(`${mark}<script>alert(1)</script>${'x'.repeat(200)}`, 'latin1')],
        [`${mark} and a drawing`, Buffer.from(mark + svg, 'latin1')]
      ])
    ),
    'a picture behind something else': Buffer.concat([Buffer.from('x'), jpeg])
  }
  for (const [what, bytes] of Object.entries(none)) assert.equal(await readPicture(bytes), undefined, what)
  // The image library is configured to refuse these too.
  for (const what of ['SVG', 'TIFF']) await assert.rejects(sharp(none[what]).metadata(), /unsupported/)
})

test('a truncated image is refused', { skip: skipUnlessFull }, async () => {
  for (const format of Object.keys(formats) as Format[]) {
    const bytes = await sharp({
      create: { width: 200, height: 200, channels: 3, background: 'red', noise: { type: 'gaussian', sigma: 40 } }
    })
      [format]()
      .toBuffer()
    for (const part of [0.01, 0.1, 0.5, 0.9]) {
      assert.equal(await readPicture(bytes.subarray(0, bytes.length * part)), undefined, `${format} ${part}`)
    }
  }
})

test('data hidden in or after an image is removed', async () => {
  const hidden = '<script>alert(document.cookie)</script><?php system($_GET[0]);'
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, hidden.length + 2]), Buffer.from(hidden)])
  const jpeg = await fileOf('jpeg')
  const gif = await fileOf('gif')
  const gifComment = Buffer.concat([Buffer.from([0x21, 0xfe, hidden.length]), Buffer.from(hidden), Buffer.from([0])])
  const files: Record<string, Buffer> = {
    'behind a GIF': Buffer.concat([gif, Buffer.from(hidden)]),
    'in a comment of a GIF': Buffer.concat([gif.subarray(0, -1), gifComment, gif.subarray(-1)]),
    'behind a PNG': Buffer.concat([await fileOf('png'), Buffer.from(hidden)]),
    'in a text of a PNG': withChunk(await fileOf('png'), 'tEXt', Buffer.from(`Comment\0${hidden}`)),
    'behind a JPEG': Buffer.concat([jpeg, Buffer.from(hidden)]),
    'in a comment of a JPEG': Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]),
    'in the data of a JPEG': await blank(40, 30).withXmp(`<x>${hidden}</x>`).jpeg().toBuffer(),
    'in the data of a WebP': await blank(40, 30).withXmp(`<x>${hidden}</x>`).webp().toBuffer(),
    'in the data of an AVIF': await blank(40, 30).withXmp(`<x>${hidden}</x>`).avif().toBuffer()
  }
  for (const [where, bytes] of Object.entries(files)) {
    assert.ok(bytes.includes('alert(document'), where)
    const picture = await readValid(bytes)
    assert.ok(!picture.bytes.includes('alert(document') && !picture.bytes.includes('<?php'), where)
  }
})

test('the location and other metadata of an image are removed, in every format and size', async () => {
  const exif = {
    IFD0: { Copyright: 'Ada Lovelace', Model: 'Secret camera' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1', GPSLongitudeRef: 'W', GPSLongitude: '0/1 7/1 0/1' }
  }
  for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
    const bytes = await blank(400, 300).withExif(exif)[format]().toBuffer()
    assert.ok((await sharp(bytes).metadata()).exif?.includes('Secret camera'), format)
    const picture = await readValid(bytes)
    for (const { bytes: kept } of [picture, ...Object.values(await createSizes(picture))]) {
      const { exif, xmp, iptc, orientation } = await sharp(kept).metadata()
      assert.deepEqual([exif, xmp, iptc, orientation], [undefined, undefined, undefined, undefined], format)
      assert.ok(!kept.includes('Secret camera'), format)
    }
  }
})

test('an image is rotated according to its orientation', async () => {
  // Red on the left and blue on the right, before rotation.
  const halves = await blank(40, 20, '#ff0000')
    .composite([{ input: await blank(20, 20, '#0000ff').png().toBuffer(), left: 20, top: 0 }])
    .png()
    .toBuffer()
  const upright = { 1: [40, 20, 'left'], 3: [40, 20, 'right'], 6: [20, 40, 'top'], 8: [20, 40, 'bottom'] } as const
  for (const [orientation, [width, height, redSide]] of Object.entries(upright)) {
    const file = await sharp(halves)
      .withMetadata({ orientation: Number(orientation) })
      .jpeg()
      .toBuffer()
    const picture = await readValid(file)
    assert.deepEqual([picture.width, picture.height], [width, height], orientation)
    const at = { left: [5, 10], right: [35, 10], top: [10, 5], bottom: [10, 35] }[redSide]
    const [red = 0, , blue = 0] = await readColour(picture.bytes, at[0] ?? 0, at[1] ?? 0)
    assert.ok(red > 200 && blue < 50, `${orientation} has red at the ${redSide}`)
  }
})

test('animated images stay animated, and their smaller sizes are still images', async () => {
  for (const format of ['gif', 'webp'] as const) {
    const picture = await readValid(await animation(format, 400, 300))
    assert.deepEqual([picture.extension, picture.width, picture.height], [format, 400, 300])
    const { pages, delay, loop } = await sharp(picture.bytes).metadata()
    assert.deepEqual([pages, delay, loop], [3, [120, 120, 120], 2], format)
    const { medium } = await createSizes(picture)
    assert.deepEqual([medium?.width, medium?.height, medium?.mimeType], [300, 225, `image/${format}`])
    assert.equal((await sharp(medium?.bytes).metadata()).pages ?? 1, 1)
  }
})

/** A PNG that declares this size, with any pixel data. */
function pngOf(width: number, height: number, pixels: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1 // One bit per pixel, greyscale.
  const start = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header)])
  return Buffer.concat([start, chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data])
  const framed = Buffer.alloc(typed.length + 8)
  framed.writeUInt32BE(data.length, 0)
  typed.copy(framed, 4)
  framed.writeUInt32BE(crc32(typed), typed.length + 4)
  return framed
}

/** Adds a chunk after the header, which is 33 bytes long. */
function withChunk(png: Buffer, type: string, data: Buffer): Buffer {
  return Buffer.concat([png.subarray(0, 33), chunk(type, data), png.subarray(33)])
}

test('a small file that decompresses to a huge image is refused without decompressing it', async () => {
  const bomb = pngOf(20_000, 20_000, Buffer.alloc(20_000 * 2501))
  assert.ok(bomb.length < 60_000)
  const before = process.memoryUsage().rss
  assert.equal(await readPicture(bomb), undefined)
  assert.ok(process.memoryUsage().rss - before < 50_000_000)
  assert.equal(await readPicture(pngOf(2_000_000_000, 2_000_000_000, Buffer.alloc(100))), undefined)
  assert.equal(await readPicture(pngOf(0, 0, Buffer.alloc(1))), undefined)
})

test('an image has at most 12,000 pixels per side, and 50 megapixels in all frames', {
  skip: skipUnlessFull
}, async () => {
  const sizes: [width: number, height: number, isTaken: boolean][] = [
    [12_000, 3, true],
    [12_001, 3, false],
    [3, 12_001, false],
    [7100, 7042, true],
    [7100, 7043, false]
  ]
  for (const [width, height, isTaken] of sizes) {
    const file = pngOf(width, height, Buffer.alloc((Math.ceil(width / 8) + 1) * height))
    const picture = await readPicture(file)
    assert.deepEqual([picture?.width, picture?.height], isTaken ? [width, height] : [undefined, undefined])
  }
  assert.equal(await readPicture(await animation('gif', 10, 10, 501)), undefined)
  assert.notEqual(await readPicture(await animation('gif', 10, 10, 500)), undefined)
  assert.equal(await readPicture(await blank(5001, 5000).avif({ effort: 0 }).toBuffer()), undefined)
  const gif = await animation('gif', 10, 10, 13)
  for (const [side, isTaken] of [
    [500, true],
    [2000, false]
  ] as const) {
    // The header contains the size of the animation; frames may be smaller.
    gif.writeUInt16LE(side, 6)
    gif.writeUInt16LE(side, 8)
    assert.equal((await readPicture(gif))?.width, isTaken ? side : undefined)
  }
})

const sizesByOriginal: [width: number, height: number, sizes: Record<string, string>][] = [
  [150, 150, {}],
  [100, 80, {}],
  [151, 150, { thumbnail: '150x150' }],
  [200, 100, { thumbnail: '150x100' }],
  [100, 600, { thumbnail: '100x150', medium: '50x300' }],
  [300, 300, { thumbnail: '150x150' }],
  [400, 300, { thumbnail: '150x150', medium: '300x225' }],
  [768, 900, { thumbnail: '150x150', medium: '256x300' }],
  [800, 600, { thumbnail: '150x150', medium: '300x225', medium_large: '768x576' }],
  [700, 1500, { thumbnail: '150x150', medium: '140x300', large: '478x1024' }],
  [2000, 2, { thumbnail: '150x2', medium: '300x1', medium_large: '768x1', large: '1024x1', '1536x1536': '1536x2' }],
  [
    2400,
    1600,
    {
      thumbnail: '150x150',
      medium: '300x200',
      medium_large: '768x512',
      large: '1024x683',
      '1536x1536': '1536x1024',
      '2048x2048': '2048x1365'
    }
  ]
]

test('the sizes are those of WordPress that are smaller than the image', { skip: skipUnlessFull }, async () => {
  for (const [width, height, expected] of sizesByOriginal) {
    const sizes = await createSizes(await readValid(await fileOf('png', width, height)))
    const found = Object.entries(sizes).map(([name, size]) => [name, `${size.width}x${size.height}`])
    assert.deepEqual(Object.fromEntries(found), expected, `${width}x${height}`)
  }
})

test('the sizes have the format of the image', async () => {
  for (const format of Object.keys(formats) as Format[]) {
    const { thumbnail, medium } = await createSizes(await readValid(await fileOf(format, 320, 200)))
    for (const size of [thumbnail, medium]) {
      const { mediaType, width, height } = await sharp(size?.bytes).metadata()
      assert.deepEqual([mediaType, width, height], [size?.mimeType, size?.width, size?.height])
      assert.deepEqual([size?.extension, size?.mimeType], [formats[format], `image/${format}`])
    }
  }
})

test('a thumbnail is the centre of the image', async () => {
  const middle = await blank(200, 200, '#00ff00').png().toBuffer()
  const file = await blank(600, 200, '#ff0000')
    .composite([{ input: middle, left: 200, top: 0 }])
    .png()
    .toBuffer()
  const { thumbnail } = await createSizes(await readValid(file))
  assert.ok(thumbnail !== undefined)
  for (const [left, top] of [
    [5, 5],
    [75, 75],
    [145, 145]
  ] as const) {
    assert.deepEqual(await readColour(thumbnail.bytes, left, top), [0, 255, 0])
  }
})

test('at most two images are processed at once, and an invalid one does not block others', async t => {
  const good = await fileOf('webp', 400, 300)
  const bad = good.subarray(0, 60)
  const running = { now: 0, most: 0 }
  const library = Object.getPrototypeOf(blank(1, 1)) as Sharp
  const { toBuffer } = library
  t.mock.method(library, 'toBuffer', async function (this: Sharp, options: { resolveWithObject: true }) {
    running.now += 1
    running.most = Math.max(running.most, running.now)
    return await toBuffer.call(this, options).finally(() => {
      running.now -= 1
    })
  })
  const files = [bad, good, good, bad, bad, good, good, good, bad]
  const read = await Promise.all(files.map(async bytes => await readPicture(bytes)))
  assert.deepEqual(
    read.map(picture => picture !== undefined),
    files.map(bytes => bytes === good)
  )
  const sizes = read.filter(picture => picture !== undefined).map(async picture => await createSizes(picture))
  assert.equal(
    (await Promise.all(sizes)).every(({ medium }) => medium?.width === 300),
    true
  )
  assert.equal(running.most, 2)
})

test('images with corrupted bytes are accepted or refused, and never throw an error', async () => {
  const files = await Promise.all((Object.keys(formats) as Format[]).map(async format => await fileOf(format)))
  const change = fc.record({ at: fc.double({ min: 0, max: 0.999, noNaN: true }), byte: fc.nat(255) })
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...files),
      fc.array(change, { minLength: 1, maxLength: 8 }),
      async (file, list) => {
        const bytes = Buffer.from(file)
        for (const { at, byte } of list) bytes[Math.floor(at * bytes.length)] = byte
        const picture = await readPicture(bytes)
        assert.ok(picture === undefined || picture.width * picture.height <= 50_000_000)
      }
    ),
    { numRuns: countRuns(150) }
  )
})
