import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { isRoot } from '../debian.ts'

const name = 'pain.008.001.08.xsd'

/**
 * The schema of ISO for the files that we write. Its licence does not allow us to distribute it, but a Debian package of a banking library contains it.
 * Returns a reason if it is not available.
 */
export function loadIsoSchema(): { text: string } | { reason: string } {
  // Only the first test file of a run downloads it.
  const cachedFile = join(tmpdir(), name)
  if (existsSync(cachedFile)) return { text: readFileSync(cachedFile, 'utf8') }
  if (!existsSync('/usr/bin/apt-get'))
    return { reason: 'the schema of ISO is in a Debian package, and this system is not Debian' }
  const folder = mkdtempSync(join(tmpdir(), 'kalends-schema-'))
  const isDownloaded =
    runProgram('apt-get', ['download', 'libhbci4j-core-java'], folder) ||
    (isRoot &&
      runProgram('apt-get', ['update', '-q'], folder) &&
      runProgram('apt-get', ['download', 'libhbci4j-core-java'], folder))
  if (!isDownloaded) return { reason: 'the Debian package with the schema of ISO cannot be downloaded' }
  const [file = ''] = readdirSync(folder)
  if (!runProgram('dpkg-deb', ['-x', file, 'files'], folder)) throw new Error(`${file} cannot be unpacked.`)
  const text = readFromZip(readFileSync(join(folder, 'files/usr/share/java/hbci4j-core.jar')), name).toString()
  writeFileSync(cachedFile, text)
  return { text }
}

function runProgram(program: string, args: string[], cwd: string): boolean {
  return spawnSync(program, args, { cwd, stdio: 'ignore', timeout: 60_000 }).status === 0
}

/** Reads a file of a ZIP archive by the central directory at its end: signature PK\1\2, sizes and names at their fixed offsets. */
function readFromZip(zip: Buffer, fileName: string): Buffer {
  for (let offset = zip.indexOf('PK\x01\x02'); offset >= 0; offset = zip.indexOf('PK\x01\x02', offset + 4)) {
    const nameEnd = offset + 46 + zip.readUInt16LE(offset + 28)
    if (zip.toString('utf8', offset + 46, nameEnd) !== fileName) continue
    const localHeader = zip.readUInt32LE(offset + 42)
    const begin = localHeader + 30 + zip.readUInt16LE(localHeader + 26) + zip.readUInt16LE(localHeader + 28)
    return inflateRawSync(zip.subarray(begin, begin + zip.readUInt32LE(offset + 20)))
  }
  throw new Error(`${fileName} is not in the archive.`)
}
