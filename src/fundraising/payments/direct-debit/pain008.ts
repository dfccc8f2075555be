import type { SequenceType } from './mandates/schema.ts'
import { toSepaCharacters } from './transliteration.ts'

/** The content of a direct debit file. */
export interface DirectDebits {
  messageId: string
  createdAt: string
  /** The day of the debit. */
  collectOn: string
  creditorName: string
  creditorId: string
  /** One credit on our account per block instead of one per donor. */
  batchBooking: boolean
  debits: Debit[]
}

export interface Debit {
  /** Shown on both statements; also the reference of the mandate. */
  reference: string
  amountCents: number
  signedOn: string
  /** The donor's account. */
  debtorName: string
  debtorIban: string
  /** Our account that receives the money. */
  account: string
  sequenceType: SequenceType
  remittance: string
}

/** The lengths that banks accept, which are shorter than those of the message format. */
const nameMax = 70
const remittanceMax = 140

/** Builds the file for the bank (ISO 20022, pain.008.001.08): the same debits give the same bytes. */
export function buildPain008(file: DirectDebits): string {
  const blocks = groupIntoBlocks(file.debits)
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.008.001.08">
  <CstmrDrctDbtInitn>
    <GrpHdr>
      <MsgId>${escapeXml(file.messageId)}</MsgId>
      <CreDtTm>${escapeXml(file.createdAt)}</CreDtTm>
      ${buildSums(file.debits)}
      <InitgPty><Nm>${formatName(file.creditorName)}</Nm></InitgPty>
    </GrpHdr>
${blocks.map((debits, index) => buildBlock(file, debits, index + 1)).join('')}  </CstmrDrctDbtInitn>
</Document>
`
}

/** Debits of one of our accounts and one sequence type. Without a BIC the bank is identified by the IBAN. */
function buildBlock(file: DirectDebits, debits: [Debit, ...Debit[]], number: number): string {
  const [{ account, sequenceType }] = debits
  return `    <PmtInf>
      <PmtInfId>${escapeXml(`${file.messageId}-${number}`)}</PmtInfId>
      <PmtMtd>DD</PmtMtd>
      <BtchBookg>${file.batchBooking}</BtchBookg>
      ${buildSums(debits)}
      <PmtTpInf>
        <SvcLvl><Cd>SEPA</Cd></SvcLvl>
        <LclInstrm><Cd>CORE</Cd></LclInstrm>
        <SeqTp>${sequenceType}</SeqTp>
      </PmtTpInf>
      <ReqdColltnDt>${escapeXml(file.collectOn)}</ReqdColltnDt>
      <Cdtr><Nm>${formatName(file.creditorName)}</Nm></Cdtr>
      <CdtrAcct><Id><IBAN>${escapeXml(account)}</IBAN></Id><Ccy>EUR</Ccy></CdtrAcct>
      <CdtrAgt>${unknownAgent}</CdtrAgt>
      <ChrgBr>SLEV</ChrgBr>
      <CdtrSchmeId>
        <Id><PrvtId><Othr><Id>${escapeXml(file.creditorId)}</Id><SchmeNm><Prtry>SEPA</Prtry></SchmeNm></Othr></PrvtId></Id>
      </CdtrSchmeId>
${debits.map(buildDebit).join('')}    </PmtInf>
`
}

function groupIntoBlocks(debits: Debit[]): [Debit, ...Debit[]][] {
  const blocks = new Map<string, [Debit, ...Debit[]]>()
  for (const debit of debits) {
    const block = blocks.get(toBlockKey(debit))
    if (block === undefined) blocks.set(toBlockKey(debit), [debit])
    else block.push(debit)
  }
  return [...blocks.values()]
}

/** A block of the file has one of our accounts and one sequence type. */
export function toBlockKey({ account, sequenceType }: Pick<Debit, 'account' | 'sequenceType'>): string {
  return `${account} ${sequenceType}`
}

const unknownAgent = '<FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId>'

function buildDebit(debit: Debit): string {
  return `      <DrctDbtTxInf>
        <PmtId><EndToEndId>${escapeXml(debit.reference)}</EndToEndId></PmtId>
        <InstdAmt Ccy="EUR">${formatEuros(debit.amountCents)}</InstdAmt>
        <DrctDbtTx>
          <MndtRltdInf><MndtId>${escapeXml(debit.reference)}</MndtId><DtOfSgntr>${escapeXml(debit.signedOn)}</DtOfSgntr></MndtRltdInf>
        </DrctDbtTx>
        <DbtrAgt>${unknownAgent}</DbtrAgt>
        <Dbtr><Nm>${formatName(debit.debtorName)}</Nm></Dbtr>
        <DbtrAcct><Id><IBAN>${escapeXml(debit.debtorIban)}</IBAN></Id></DbtrAcct>
        <Purp><Cd>CHAR</Cd></Purp>
        <RmtInf><Ustrd>${escapeXml(toSepaCharacters(debit.remittance, remittanceMax))}</Ustrd></RmtInf>
      </DrctDbtTxInf>
`
}

function buildSums(debits: Debit[]): string {
  const cents = debits.reduce((sum, { amountCents }) => sum + amountCents, 0)
  return `<NbOfTxs>${debits.length}</NbOfTxs><CtrlSum>${formatEuros(cents)}</CtrlSum>`
}

/** Formats the digits; a division would not be exact for every amount. */
function formatEuros(cents: number): string {
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const formatName = (name: string) => escapeXml(toSepaCharacters(name, nameMax))

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, character => entities[character] ?? '')
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
