/// How a language writes amounts of money. Source: Unicode CLDR.
///
/// Known are English, Czech, Slovak, German, Polish, Hungarian, French, Spanish, Italian and Romanian; every other language is
/// written as English.
struct MoneyLocale: Sendable {
    let decimalMark: String
    let groupMark: String
    /// Whether the symbol stands before the amount, with nothing between; otherwise behind a no-break space.
    let symbolComesFirst: Bool
    /// Where the symbol differs from the code.
    let symbols: [String: String]

    static func of(_ language: String) -> MoneyLocale { table[language] ?? english }

    private init(
        _ decimalMark: String, _ groupMark: String, symbolComesFirst: Bool = false,
        _ symbols: [String: String]
    ) {
        (self.decimalMark, self.groupMark) = (decimalMark, groupMark)
        (self.symbolComesFirst, self.symbols) = (symbolComesFirst, symbols)
    }

    private static let noBreakSpace = "\u{A0}"

    private static let english = MoneyLocale(
        ".", ",", symbolComesFirst: true,
        [
            "AUD": "A$", "BRL": "R$", "CAD": "CA$", "CNY": "CN¥", "EUR": "€", "GBP": "£", "HKD": "HK$",
            "ILS": "₪", "INR": "₹", "JPY": "¥", "KRW": "₩", "MXN": "MX$", "NZD": "NZ$", "PHP": "₱",
            "TWD": "NT$", "USD": "$", "VND": "₫", "XAF": "FCFA", "XCD": "EC$", "XOF": "F\u{202F}CFA",
            "XPF": "CFPF",
        ])

    private static let table: [String: MoneyLocale] = [
        "en": english,
        "cs": MoneyLocale(
            ",", noBreakSpace,
            [
                "AUD": "AU$", "BRL": "R$", "CAD": "CA$", "CNY": "CN¥", "CZK": "Kč", "EUR": "€", "GBP": "£",
                "HKD": "HK$", "JPY": "JP¥", "KRW": "₩", "MXN": "MX$", "NZD": "NZ$", "TWD": "NT$",
                "USD": "US$",
                "XAF": "FCFA", "XCD": "EC$", "XOF": "F\u{202F}CFA", "XPF": "CFPF",
            ]),
        "sk": MoneyLocale(
            ",", noBreakSpace,
            [
                "EUR": "€", "ILS": "NIS", "MXN": "MX$", "XAF": "FCFA", "XCD": "EC$", "XOF": "F\u{202F}CFA",
                "XPF": "CFPF",
            ]),
        "de": MoneyLocale(
            ",", ".",
            [
                "AUD": "AU$", "BRL": "R$", "CAD": "CA$", "CNY": "CN¥", "EUR": "€", "GBP": "£", "HKD": "HK$",
                "ILS": "₪", "INR": "₹", "JPY": "¥", "KRW": "₩", "MXN": "MX$", "NZD": "NZ$", "THB": "฿",
                "TWD": "NT$", "USD": "$", "VND": "₫", "XAF": "FCFA", "XCD": "EC$", "XOF": "F\u{202F}CFA",
                "XPF": "CFPF",
            ]),
        "pl": MoneyLocale(
            ",", noBreakSpace,
            [
                "BRL": "R$", "EUR": "€", "PLN": "zł", "XAF": "FCFA", "XCD": "EC$", "XOF": "F\u{202F}CFA",
                "XPF": "CFPF",
            ]),
        "hu": MoneyLocale(
            ",", noBreakSpace,
            ["HUF": "Ft", "JPY": "¥", "XAF": "FCFA", "XOF": "F\u{202F}CFA", "XPF": "CFPF"]),
        "fr": MoneyLocale(
            ",", "\u{202F}",
            [
                "ARS": "$AR", "AUD": "$AU", "BMD": "$BM", "BND": "$BN", "BRL": "R$", "BZD": "$BZ",
                "CAD": "$CA", "CLP": "$CL", "COP": "$CO", "EUR": "€", "FJD": "$FJ", "FKP": "£FK",
                "GBP": "£GB",
                "GIP": "£GI", "ILS": "₪", "INR": "₹", "KRW": "₩", "LBP": "£LB", "MXN": "$MX", "NAD": "$NA",
                "NZD": "$NZ", "SBD": "$SB", "SGD": "$SG", "SRD": "$SR", "TTD": "$TT", "USD": "$US",
                "UYU": "$UY", "VND": "₫", "WST": "$WS", "XAF": "FCFA", "XOF": "F\u{202F}CFA", "XPF": "FCFP",
            ]),
        "es": MoneyLocale(
            ",", ".", ["EUR": "€", "THB": "฿", "USD": "US$", "VND": "₫", "XPF": "CFPF"]),
        "it": MoneyLocale(
            ",", ".",
            [
                "AUD": "A$", "CAD": "CA$", "CNY": "CN¥", "EUR": "€", "GBP": "£", "ILS": "₪", "NZD": "NZ$",
                "PHP": "₱", "THB": "฿", "XAF": "FCFA", "XCD": "EC$", "XOF": "F\u{202F}CFA", "XPF": "CFPF",
            ]),
        "ro": MoneyLocale(",", ".", ["XAF": "FCFA", "XOF": "F\u{202F}CFA", "XPF": "CFPF"]),
    ]
}
