/** A document of an accepted type. */
export interface Document {
  /** Without the dot. */
  extension: string
  mimeType: string
  bytes: Buffer
}

interface DocumentType {
  mimeType: string
  isIn(bytes: Buffer): boolean
}

const isPdf = (bytes: Buffer) => bytes.subarray(0, 1024).includes('%PDF-')

/** The container of Word, Excel and PowerPoint until 2003. */
const isCompoundFile = (bytes: Buffer) => bytes.subarray(0, 8).equals(Buffer.from('d0cf11e0a1b11ae1', 'hex'))

const isZip = (bytes: Buffer) => bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'))

/** Names of files inside a ZIP file are not compressed. A document with macros has another extension. */
const isOffice = (folder: string) => (bytes: Buffer) =>
  isZip(bytes) && bytes.includes('[Content_Types].xml') && bytes.includes(`${folder}/`) && !bytes.includes('vbaProject')

/** The type comes first in the file and is not compressed. */
const isOpenDocument = (mimeType: string) => (bytes: Buffer) =>
  isZip(bytes) && bytes.subarray(0, 200).includes(`mimetype${mimeType}`)

const office = 'application/vnd.openxmlformats-officedocument'
const openDocument = 'application/vnd.oasis.opendocument'

function newOpenDocumentType(name: string): DocumentType {
  const mimeType = `${openDocument}.${name}`
  return { mimeType, isIn: isOpenDocument(mimeType) }
}

/** No type that a browser could run: no HTML, SVG, scripts or archives. */
const documentTypes: Record<string, DocumentType> = {
  pdf: { mimeType: 'application/pdf', isIn: isPdf },
  doc: { mimeType: 'application/msword', isIn: isCompoundFile },
  xls: { mimeType: 'application/vnd.ms-excel', isIn: isCompoundFile },
  ppt: { mimeType: 'application/vnd.ms-powerpoint', isIn: isCompoundFile },
  docx: { mimeType: `${office}.wordprocessingml.document`, isIn: isOffice('word') },
  xlsx: { mimeType: `${office}.spreadsheetml.sheet`, isIn: isOffice('xl') },
  pptx: { mimeType: `${office}.presentationml.presentation`, isIn: isOffice('ppt') },
  odt: newOpenDocumentType('text'),
  ods: newOpenDocumentType('spreadsheet'),
  odp: newOpenDocumentType('presentation')
}

/** The document in these bytes, if they are of the type that the file name says; otherwise undefined. */
export function readDocument(name: string, bytes: Buffer): Document | undefined {
  const extension = /\.(\w{1,5})$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const type = Object.hasOwn(documentTypes, extension) ? documentTypes[extension] : undefined
  return type?.isIn(bytes) === true ? { extension, mimeType: type.mimeType, bytes } : undefined
}
