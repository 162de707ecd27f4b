/// An amount of money as a device shows it. Source: Mobile Token documentation.
struct FormattedMoney: Sendable, Equatable {
    /// Digits behind the point that are shown at most; what is behind them is cut off.
    private static let fractionLimit = 18

    /// JSON number with the digits of the parameter; nil when that is no number.
    let number: String?
    /// The raw text when that is no number.
    let amount: String
    let symbol: String
    /// Amount and symbol.
    let value: String

    /// - Parameter currency: a code of ISO 4217 or any other word.
    init(amount text: String, currency: String, language: String) {
        let locale = MoneyLocale.of(language)
        let digits = Currency.minorDigits(of: currency)
        symbol = digits == nil ? currency : locale.symbols[currency] ?? currency
        guard let decimal = DecimalNumber(text) else {
            (number, amount, value) = (nil, text, text + " " + currency)
            return
        }
        number = decimal.json
        let written = Self.written(decimal, minimumDigits: digits ?? 0, locale)
        let sign = decimal.isNegative ? "-" : ""
        amount = sign + written
        value =
            digits != nil && locale.symbolComesFirst
            ? sign + symbol + written : amount + "\u{A0}" + symbol
    }

    /// Without a sign.
    private static func written(_ number: DecimalNumber, minimumDigits: Int, _ locale: MoneyLocale) -> String
    {
        var text = ""
        for (index, digit) in number.whole.enumerated() {
            if index > 0, (number.whole.count - index).isMultiple(of: 3) { text += locale.groupMark }
            text.append(digit)
        }
        var fraction = number.fraction.prefix(fractionLimit)
        while fraction.count > minimumDigits, fraction.last == "0" { fraction.removeLast() }
        let padding = String(repeating: "0", count: max(0, minimumDigits - fraction.count))
        if fraction.isEmpty, padding.isEmpty { return text }
        return text + locale.decimalMark + fraction + padding
    }
}
