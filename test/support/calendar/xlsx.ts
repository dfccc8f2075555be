import { buildZip, type ZipMember } from '../zip.ts'

/** A cell: a text, or the attributes and the content of its element. */
export type XlsxCell = string | { attributes: string; content: string }

/** A number with a cell style: 0 general, 1 a built-in date, 2 a custom date, 3 a number with quoted letters. */
export const buildNumberCell = (value: number, style = 0): XlsxCell => ({
  attributes: `s="${style}"`,
  content: `<v>${value}</v>`
})

const spreadsheet = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A workbook as Excel writes it: a hidden sheet, then the rows; texts are shared. */
export function buildXlsx(
  rows: XlsxCell[][],
  { bookAttributes = '', replaced = [] }: { bookAttributes?: string; replaced?: ZipMember[] } = {}
): Buffer {
  const strings: string[] = []
  const lines = rows.map((cells, row) => {
    const written = cells.flatMap((cell, column) => {
      if (cell === '') return []
      const place = `r="${String.fromCharCode(65 + column)}${row + 1}"`
      if (typeof cell !== 'string') return [`<c ${place} ${cell.attributes}>${cell.content}</c>`]
      return [`<c ${place} t="s"><v>${strings.push(cell) - 1}</v></c>`]
    })
    return `<row r="${row + 1}">${written.join('')}</row>`
  })
  const members: ZipMember[] = [
    {
      name: 'xl/workbook.xml',
      content: `<workbook ${spreadsheet} xmlns:r="${relationships}"><workbookPr ${bookAttributes}/><sheets>
        <sheet name="Lists" sheetId="1" state="hidden" r:id="rId1"/><sheet name="Events" sheetId="2" r:id="rId2"/>
      </sheets></workbook>`
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/>
        <Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/></Relationships>`
    },
    {
      name: 'xl/styles.xml',
      content: `<styleSheet ${spreadsheet}>
        <numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy hh:mm"/><numFmt numFmtId="165" formatCode="0 &quot;days&quot;"/></numFmts>
        <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
        <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`
    },
    {
      name: 'xl/sharedStrings.xml',
      content: `<sst ${spreadsheet}>${strings
        .map(text => `<si><r><t xml:space="preserve">${escapeXml(text)}</t></r><rPh><t>sound</t></rPh></si>`)
        .join('')}</sst>`
    },
    { name: 'xl/worksheets/sheet1.xml', content: `<worksheet ${spreadsheet}><sheetData/></worksheet>` },
    {
      name: 'xl/worksheets/sheet2.xml',
      content: `<worksheet ${spreadsheet}><sheetData>${lines.join('')}</sheetData></worksheet>`
    }
  ]
  return buildZip(members.map(member => replaced.find(({ name }) => name === member.name) ?? member))
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
