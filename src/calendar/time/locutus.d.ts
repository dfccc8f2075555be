declare module 'locutus/php/datetime/strtotime.js' {
  /** Seconds, or false (NaN for dates out of range). Uses the machine's own time zone for input and output. */
  function strtotime(text: string, nowSeconds: number): number | false
  export = strtotime
}
