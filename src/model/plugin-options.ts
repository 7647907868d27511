/** What users gave to the options of plug-in modules. */

/**
 * By the option's name: text and choice a text, integer, port and duration (milliseconds) a number,
 * flag true or false, list its texts; null = not given and without a default.
 */
export type PluginOptions = Readonly<
  Record<string, string | number | boolean | readonly string[] | null>
>;
