declare module 'locutus/php/datetime/strtotime.js' {
  /** Seconds, or false (NaN for what no calendar reaches). It reads and answers in the machine's own time zone. */
  function strtotime(text: string, nowSeconds: number): number | false
  export = strtotime
}
