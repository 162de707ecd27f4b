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

/// Currencies of the standard, and their minor units. Source: ISO 4217.
enum Currency {
    /// Digits behind the point that an amount has at least; nil for a code that is no currency of the standard.
    static func minorDigits(of code: String) -> Int? {
        codes.contains(code) ? minorUnits[code] ?? 2 : nil
    }

    /// Those that do not have two.
    private static let minorUnits = [
        "BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "ISK": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0, "RWF": 0,
        "UGX": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
        "BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3,
    ]

    private static let codes = Set(
        """
        AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF
        CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD
        HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD
        MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN
        PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY
        TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}

/// A decimal number with exactly the digits that it came with.
struct DecimalNumber: Sendable, Equatable {
    /// Longer ones are no numbers here.
    static let digitLimit = 100

    let isNegative: Bool
    /// ASCII digits, at least one, the first not zero unless it is the only one.
    let whole: Substring
    /// ASCII digits behind the point; may be empty.
    let fraction: Substring

    /// An optional sign, digits with at most one point among them, at least one digit; no exponent.
    init?(_ text: String) {
        var rest = text[...]
        isNegative = rest.first == "-"
        if rest.first == "-" || rest.first == "+" { rest.removeFirst() }
        let parts = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? parts[1] : ""
        guard let whole = parts.first, 1...Self.digitLimit ~= whole.utf8.count + fraction.utf8.count,
            (whole.utf8.allSatisfy { 0x30...0x39 ~= $0 }), (fraction.utf8.allSatisfy { 0x30...0x39 ~= $0 })
        else { return nil }
        let significant = whole.drop { $0 == "0" }
        self.whole = significant.isEmpty ? "0" : significant
        self.fraction = fraction
    }

    /// As JSON spells it.
    var json: String {
        (isNegative ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
    }
}
