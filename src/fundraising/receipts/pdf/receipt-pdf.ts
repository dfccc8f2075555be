import type { ReceiptContent } from '../content.ts'
import { writeEnglishAnnex, writeEnglishFront } from './english.ts'
import { formatGermanTitle, writeGermanAnnex, writeGermanFront } from './german.ts'
import { makePdf } from './layout.ts'

/** The file of a receipt: the same content gives the same bytes. */
export async function buildReceiptPdf(
  content: ReceiptContent,
  { isCopy = false, signature }: { isCopy?: boolean; signature: Buffer | undefined }
): Promise<Buffer> {
  const { language, issuer, number } = content
  const madeAt = new Date(content.issuedAt)
  const options = { isCopy, signature }
  if (language === 'de') {
    const about = { title: formatGermanTitle(content), author: issuer.legalName, language, madeAt }
    return await makePdf(
      about,
      sheet => writeGermanFront(sheet, content, options),
      sheet => writeGermanAnnex(sheet, content)
    )
  }
  const about = { title: `Donation receipt ${number}`, author: issuer.legalName, language, madeAt }
  return await makePdf(
    about,
    sheet => writeEnglishFront(sheet, content, options),
    sheet => writeEnglishAnnex(sheet, content)
  )
}
