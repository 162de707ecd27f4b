import Essentials

/// One line of the form that a device shows: a type, a label, and which parameters of the operation it takes.
struct AttributeTemplate: Codable, Sendable, Equatable {
    /// `AMOUNT`, `KEY_VALUE`, `NOTE` and so on; any other word is shown as `KEY_VALUE` is.
    var type: String
    var id: String
    /// Label.
    var text: String
    /// Slot to name of a parameter.
    var params: [String: String]?

    /// Slots that have to have a value, or else the line is left out. Source: Mobile Token documentation.
    var requiredSlots: [String] {
        switch type {
        case "AMOUNT": ["amount", "currency"]
        case "AMOUNT_CONVERSION": ["sourceAmount", "sourceCurrency", "targetAmount", "targetCurrency"]
        case "NOTE": ["note"]
        case "IMAGE": ["thumbnailUrl"]
        case "HEADING", "ALERT", "PARTY_INFO": []
        default: ["value"]
        }
    }
}
