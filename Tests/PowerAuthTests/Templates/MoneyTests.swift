import Testing

@testable import PowerAuth

@Suite struct MoneyTests {
    private static let space = "\u{A0}"

    // Source: tests of the published server.
    @Test(arguments: [
        ("1710.9817", "CZK", "en", "1,710.9817", "CZK", "CZK1,710.9817"),
        ("1710.9817", "CZK", "cs", "1\(space)710,9817", "Kč", "1\(space)710,9817\(space)Kč"),
        ("1710", "USD", "en", "1,710.00", "$", "$1,710.00"),
        ("1710", "USD", "cs", "1\(space)710,00", "US$", "1\(space)710,00\(space)US$"),
        ("1710", "JPY", "en", "1,710", "¥", "¥1,710"),
        ("1710", "JPY", "cs", "1\(space)710", "JP¥", "1\(space)710\(space)JP¥"),
        ("1.1", "BTC", "en", "1.1", "BTC", "1.1\(space)BTC"),
        ("1.1", "BTC", "cs", "1,1", "BTC", "1,1\(space)BTC"),
    ])
    func `amounts are written as the language does`(
        _ text: String, _ currency: String, _ language: String, _ amount: String, _ symbol: String,
        _ value: String
    ) {
        let money = FormattedMoney(amount: text, currency: currency, language: language)
        #expect(money.number == text && money.amount == amount)
        #expect(money.symbol == symbol && money.value == value)
    }

    // Source: Unicode CLDR by Babel 2.
    @Test(arguments: [
        ("de", "1.234.567,50\(space)€"), ("sk", "1\(space)234\(space)567,50\(space)€"),
        ("fr", "1\u{202F}234\u{202F}567,50\(space)€"), ("xx", "€1,234,567.50"),
    ])
    func `other languages are known, or written as English`(_ language: String, _ value: String) {
        let money = FormattedMoney(amount: "1234567.5", currency: "EUR", language: language)
        #expect(money.value == value)
    }

    @Test func `what is no number is shown as it came`() {
        for text in ["", "ten", "1e3", "1.2.3", "--1", String(repeating: "9", count: 101)] {
            let money = FormattedMoney(amount: text, currency: "EUR", language: "en")
            #expect(money.number == nil && money.amount == text && money.value == text + " EUR")
        }
    }

    @Test func `digits are cut behind eighteen, zeros shown where the currency has them`() {
        func amount(_ text: String, _ currency: String = "EUR") -> String {
            FormattedMoney(amount: text, currency: currency, language: "en").amount
        }
        #expect(amount("0.1234567890123456789") == "0.123456789012345678")
        #expect(amount("-1234.5") == "-1,234.50")
        #expect(amount("007.10", "BTC") == "7.1")
        #expect(amount(".5") == "0.50")
        #expect(
            FormattedMoney(amount: "12345678901234567890.10", currency: "EUR", language: "en").number
                == "12345678901234567890.10")
    }
}
