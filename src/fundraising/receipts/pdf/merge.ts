/** Metadata of a document. */
interface DocumentInfo {
  title: string
  madeAt: Date
}

/**
 * Merges the pages of our own files into one document for printing, streaming file by file. Pages are copied byte by
 * byte; accessibility tags stay with the single files. Only understands the output of PDFKit: plain objects with a
 * cross-reference table.
 */
export async function* mergePdfs(files: AsyncIterable<Buffer>, about: DocumentInfo): AsyncGenerator<Buffer> {
  const offsets: number[] = []
  let length = 0
  const count = (part: Buffer) => {
    length += part.length
    return part
  }
  const object = (number: number, ...body: (string | Buffer)[]) => {
    offsets[number] = length
    const parts = [`${number} 0 obj\n`, ...body, '\nendobj\n'].map(one => (typeof one === 'string' ? latin(one) : one))
    return count(Buffer.concat(parts))
  }
  yield count(latin('%PDF-1.7\n%\xff\xff\xff\xff\n'))
  const [catalog, pages, info] = [1, 2, 3]
  let next = 4
  const kids: number[] = []
  for await (const file of files) {
    const source = readObjects(file)
    const numbers = new Map<number, number>()
    const waiting: number[] = []
    const numberFor = (old: number) => {
      let number = numbers.get(old)
      if (number === undefined) {
        number = next++
        numbers.set(old, number)
        waiting.push(old)
      }
      return number
    }
    kids.push(...listPages(source).map(numberFor))
    for (let old = waiting.shift(); old !== undefined; old = waiting.shift()) {
      const { head, stream } = source.find(old)
      const kept = isPage(head) ? head.replace(/\/Parent \d+ 0 R/, '').replace(/\/StructParents \d+/, '') : head
      const renumbered = kept.replace(reference, (_, number: string) => `${numberFor(Number(number))} 0 R`)
      const whole = isPage(head) ? renumbered.replace('/Type /Page', `/Type /Page\n/Parent ${pages} 0 R`) : renumbered
      yield object(numbers.get(old) ?? 0, latin(whole), stream)
    }
  }
  yield object(catalog, `<< /Type /Catalog /Pages ${pages} 0 R /ViewerPreferences << /DisplayDocTitle true >> >>`)
  yield object(pages, `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map(kid => `${kid} 0 R`).join(' ')}] >>`)
  yield object(
    info,
    `<< /Title ${toHexText(about.title)} /Producer (Kalends) /CreationDate (${formatPdfDate(about.madeAt)}) >>`
  )
  const table = Array.from(
    { length: next - 1 },
    (_, index) => `${String(offsets[index + 1]).padStart(10, '0')} 00000 n \n`
  )
  yield latin(
    `xref\n0 ${next}\n0000000000 65535 f \n${table.join('')}trailer\n<< /Size ${next} /Root ${catalog} 0 R /Info ${info} 0 R >>\n` +
      `startxref\n${length}\n%%EOF\n`
  )
}

const reference = /\b(\d+) 0 R\b/g
const latin = (text: string) => Buffer.from(text, 'latin1')
const isPage = (head: string) => /\/Type \/Page\b(?!s)/.test(head)

interface Objects {
  root: number
  /** The dictionary of an object, and its stream. */
  find(number: number): { head: string; stream: Buffer }
}

function readObjects(file: Buffer): Objects {
  const tail = file.toString('latin1', Math.max(0, file.length - 1000))
  const start = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(tail)?.[1] ?? Number.NaN)
  const table = Number.isNaN(start) ? '' : file.toString('latin1', start)
  const [, root] = /\/Root (\d+) 0 R/.exec(table) ?? []
  if (!table.startsWith('xref') || root === undefined) throw new Error('Not a PDF file created by Kalends.')
  const begins = [...table.matchAll(/^(\d{10}) \d{5} ([nf])/gm)].map(([, at]) => Number(at))
  const ends = [...begins, start].sort((one, other) => one - other)
  return {
    root: Number(root),
    find: number => {
      const from = begins[number] ?? 0
      const to = ends.find(end => end > from) ?? start
      const whole = file.subarray(from, file.lastIndexOf('endobj', to - 1))
      const body = whole.indexOf('obj') + 3
      const streams = whole.indexOf('\nstream\n')
      const head = whole.toString('latin1', body, streams < 0 ? undefined : streams)
      return { head: head.trim(), stream: streams < 0 ? Buffer.alloc(0) : whole.subarray(streams) }
    }
  }
}

function listPages(source: Objects): number[] {
  const [, pages = '0'] = /\/Pages (\d+) 0 R/.exec(source.find(source.root).head) ?? []
  const kids = /\/Kids \[([^[\]]*)\]/.exec(source.find(Number(pages)).head)?.[1] ?? ''
  return [...kids.matchAll(reference)].map(([, number]) => Number(number))
}

function toHexText(text: string): string {
  return `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`
}

function formatPdfDate(moment: Date): string {
  return `D:${moment.toISOString().replace(/\D/g, '').slice(0, 14)}Z`
}
