import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { isRoot } from '../debian.ts'

const name = 'pain.008.001.08.xsd'

/**
 * ISO's own schema of the files that we write. It is not ours to hand on, but a banking library of Debian brings it along.
 * A reason where it cannot be had.
 */
export function loadIsoSchema(): { text: string } | { reason: string } {
  // Of all test files of a run only the first has to fetch it.
  const kept = join(tmpdir(), name)
  if (existsSync(kept)) return { text: readFileSync(kept, 'utf8') }
  if (!existsSync('/usr/bin/apt-get'))
    return { reason: 'ISO’s schema comes from a package of Debian, and this is not Debian' }
  const folder = mkdtempSync(join(tmpdir(), 'kalends-schema-'))
  const fetched =
    runs('apt-get', ['download', 'libhbci4j-core-java'], folder) ||
    (isRoot &&
      runs('apt-get', ['update', '-q'], folder) &&
      runs('apt-get', ['download', 'libhbci4j-core-java'], folder))
  if (!fetched) return { reason: 'Debian’s package with ISO’s schema cannot be downloaded here' }
  const [file = ''] = readdirSync(folder)
  if (!runs('dpkg-deb', ['-x', file, 'files'], folder)) throw new Error(`${file} cannot be unpacked.`)
  const text = fileInZip(readFileSync(join(folder, 'files/usr/share/java/hbci4j-core.jar')), name).toString()
  writeFileSync(kept, text)
  return { text }
}

function runs(program: string, words: string[], cwd: string): boolean {
  return spawnSync(program, words, { cwd, stdio: 'ignore', timeout: 60_000 }).status === 0
}

/** By the table at the end of the archive: signature PK\1\2, sizes and names where the format has them. */
function fileInZip(zip: Buffer, wanted: string): Buffer {
  for (let at = zip.indexOf('PK\x01\x02'); at >= 0; at = zip.indexOf('PK\x01\x02', at + 4)) {
    const nameEnd = at + 46 + zip.readUInt16LE(at + 28)
    if (zip.toString('utf8', at + 46, nameEnd) !== wanted) continue
    const local = zip.readUInt32LE(at + 42)
    const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    return inflateRawSync(zip.subarray(begin, begin + zip.readUInt32LE(at + 20)))
  }
  throw new Error(`${wanted} is not in the archive.`)
}
