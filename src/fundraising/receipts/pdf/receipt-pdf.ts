import type { ReceiptContent } from '../content.ts'
import { englishAnnex, englishFront } from './english.ts'
import { germanAnnex, germanFront, germanTitle } from './german.ts'
import { makePdf } from './sheet.ts'

/** The file of a receipt: of the same content always the same, to the byte. */
export async function receiptPdf(
  content: ReceiptContent,
  { isCopy = false, signature }: { isCopy?: boolean; signature: Buffer | undefined }
): Promise<Buffer> {
  const { language, issuer, number } = content
  const madeAt = new Date(content.issuedAt)
  const options = { isCopy, signature }
  if (language === 'de') {
    const about = { title: germanTitle(content), author: issuer.legalName, language, madeAt }
    return await makePdf(
      about,
      sheet => germanFront(sheet, content, options),
      sheet => germanAnnex(sheet, content)
    )
  }
  const about = { title: `Donation receipt ${number}`, author: issuer.legalName, language, madeAt }
  return await makePdf(
    about,
    sheet => englishFront(sheet, content, options),
    sheet => englishAnnex(sheet, content)
  )
}
