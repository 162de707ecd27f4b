import Essentials

extension AttributeTemplate {
    /// The line as a device reads it, JSON text; nil when a required slot has no value.
    func json(with parameters: [String: String], language: String) -> [UInt8]? {
        func value(_ slot: String) -> String? { params?[slot].flatMap { parameters[$0] } }
        guard requiredSlots.allSatisfy({ value($0) != nil }) else { return nil }
        var writer = JSONObjectWriter()
        writer.add("type", .string(type))
        writer.add("id", .string(id))
        writer.add("label", .string(text))
        switch type {
        case "AMOUNT":
            let money = FormattedMoney(
                amount: value("amount") ?? "", currency: value("currency") ?? "", language: language)
            writer.add(money, code: value("currency") ?? "", names: AmountNames())
        case "AMOUNT_CONVERSION":
            writer.add("dynamic", .boolean(value("dynamic")?.lowercased() == "true"))
            for (side, names) in [("source", AmountNames("source")), ("target", AmountNames("target"))] {
                let code = value(side + "Currency") ?? ""
                let money = FormattedMoney(
                    amount: value(side + "Amount") ?? "", currency: code, language: language)
                writer.add(money, code: code, names: names)
            }
        case "NOTE": writer.add("note", value("note").map(JSONValue.string))
        case "HEADING": writer.add("level", .integer(value("level").flatMap { Int($0) } ?? 0))
        case "ALERT":
            let kind = value("type").flatMap { Self.alerts.contains($0) ? $0 : nil } ?? "INFO"
            writer.add("alertType", .string(kind))
            writer.add("title", value("title").map(JSONValue.string))
            writer.add("message", value("message").map(JSONValue.string))
        case "IMAGE":
            writer.add("thumbnailUrl", value("thumbnailUrl").map(JSONValue.string))
            writer.add("originalUrl", value("originalUrl").map(JSONValue.string))
        case "PARTY_INFO":
            let slots = ["logoUrl", "name", "description", "websiteUrl"]
            let known = slots.compactMap { slot in value(slot).map { (slot, JSONValue.string($0)) } }
            writer.add("partyInfo", .object(Dictionary(known) { first, _ in first }))
        default: writer.add("value", value("value").map(JSONValue.string))
        }
        return writer.bytes
    }

    private static let alerts: Set = ["SUCCESS", "INFO", "WARNING", "ERROR"]
}

/// The names of the five members of an amount, which a conversion has twice.
private struct AmountNames {
    let amount: String
    let amountFormatted: String
    let currency: String
    let currencyFormatted: String
    let valueFormatted: String

    /// - Parameter prefix: nil for the amount that stands alone.
    init(_ prefix: String? = nil) {
        func name(_ lower: String, _ upper: String) -> String { prefix.map { $0 + upper } ?? lower }
        amount = name("amount", "Amount")
        amountFormatted = name("amountFormatted", "AmountFormatted")
        currency = name("currency", "Currency")
        currencyFormatted = name("currencyFormatted", "CurrencyFormatted")
        valueFormatted = name("valueFormatted", "ValueFormatted")
    }
}

extension JSONObjectWriter {
    fileprivate mutating func add(_ money: FormattedMoney, code: String, names: AmountNames) {
        if let number = money.number { add(names.amount, json: Array(number.utf8)) }
        add(names.amountFormatted, .string(money.amount))
        add(names.currency, .string(code))
        add(names.currencyFormatted, .string(money.symbol))
        add(names.valueFormatted, .string(money.value))
    }
}
