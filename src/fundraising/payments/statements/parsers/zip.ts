import * as zip from '#platform/zip/zip-reader.ts'
import { StatementFileProblem } from './file-problems.ts'

/** Banks put one file per account and day into an archive; a year of one account fits. */
const membersMax = 500
/** The same limit as for a single file; the sum can be slightly larger. */
const limits = { membersMax, memberBytesMax: 50 * 1024 * 1024, allBytesMax: 100 * 1024 * 1024 }

/** The files of an archive in the order of their names. Unpacks nothing yet. */
export function listMembers(bytes: Buffer): zip.Member[] {
  try {
    return zip.listMembers(bytes, limits)
  } catch (error) {
    throw toStatementProblem(error)
  }
}

export async function unpackMember(bytes: Buffer, member: zip.Member): Promise<Buffer> {
  try {
    return await zip.unpackMember(bytes, member)
  } catch (error) {
    throw toStatementProblem(error)
  }
}

function toStatementProblem(error: unknown): unknown {
  if (!(error instanceof zip.ZipError)) return error
  const problem = buildProblem(error)
  return error.member === undefined ? problem : problem.inMember(error.member)
}

function buildProblem({ fault, feature }: zip.ZipError): StatementFileProblem {
  switch (fault) {
    case 'encrypted':
      return newZipEncryptedProblem()
    case 'unsupported':
      return newZipUnsupportedProblem(feature?.en ?? '', feature?.de ?? '')
    case 'too-many':
      return newTooManyMembersProblem()
    case 'too-large':
      return newZipTooLargeProblem()
    default:
      return newZipDamagedProblem()
  }
}

const newZipDamagedProblem = () =>
  new StatementFileProblem('zip-broken', {
    en: 'The ZIP file is damaged or cut off. Download it again from your bank. Nothing was imported.',
    de: 'Die ZIP-Datei ist beschädigt oder abgeschnitten. Laden Sie sie neu bei Ihrer Bank herunter. Es wurde nichts importiert.'
  })

const newZipEncryptedProblem = () =>
  new StatementFileProblem('zip-encrypted', {
    en: 'The file in the ZIP is protected by a password. Unpack it and import it by itself.',
    de: 'Die Datei in der ZIP-Datei ist durch ein Passwort geschützt. Entpacken Sie sie und importieren Sie sie einzeln.'
  })

const newZipUnsupportedProblem = (en: string, de: string) =>
  new StatementFileProblem('zip-unsupported', {
    en: `This kind of ZIP file is not supported (${en}). Unpack it and import the files one by one.`,
    de: `Diese Art von ZIP-Datei wird nicht unterstützt (${de}). Entpacken Sie sie und importieren Sie die Dateien einzeln.`
  })

const newTooManyMembersProblem = () =>
  new StatementFileProblem('zip-too-large', {
    en: `A ZIP file may have at most ${membersMax} files. Import it in parts.`,
    de: `Eine ZIP-Datei darf höchstens ${membersMax} Dateien haben. Importieren Sie sie in Teilen.`
  })

const newZipTooLargeProblem = () =>
  new StatementFileProblem('zip-too-large', {
    en: 'Unpacked, a file may have at most 50 MB, and all files of a ZIP together 100 MB. Import them in parts.',
    de: 'Entpackt darf eine Datei höchstens 50 MB haben, und alle Dateien einer ZIP-Datei zusammen 100 MB. Importieren Sie sie in Teilen.'
  })
