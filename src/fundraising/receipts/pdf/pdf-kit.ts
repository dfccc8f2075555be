import type PdfKit from 'pdfkit'
import { requireLazily } from '#platform/lazy-require.ts'

export const pdfKit = requireLazily<typeof PdfKit>('pdfkit')
