import { pickByLanguage, type Text } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
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
      return newZipUnsupportedProblem(feature)
    case 'too-many':
      return newTooManyMembersProblem()
    case 'too-large':
      return newZipTooLargeProblem()
    default:
      return newZipDamagedProblem()
  }
}

const newZipDamagedProblem = () =>
  new StatementFileProblem('zip-broken', buildText('statement-file-problems', 'zipDamaged'))

const newZipEncryptedProblem = () =>
  new StatementFileProblem('zip-encrypted', buildText('statement-file-problems', 'zipEncrypted'))

const newZipUnsupportedProblem = (feature: Text | undefined) =>
  new StatementFileProblem(
    'zip-unsupported',
    buildText('statement-file-problems', 'zipUnsupported', language => ({
      feature: feature === undefined ? '' : pickByLanguage(feature, language)
    }))
  )

const newTooManyMembersProblem = () =>
  new StatementFileProblem('zip-too-large', buildText('statement-file-problems', 'tooManyMembers', { membersMax }))

const newZipTooLargeProblem = () =>
  new StatementFileProblem('zip-too-large', buildText('statement-file-problems', 'zipTooLarge'))
