import Essentials
import HTTP
import PowerAuthDevice
import Testing

extension Stage {
    /// Four templates: `login` for both kinds of two factors, `knowledge` for the PIN alone, `near` with a proximity check and
    /// `payment` with parameters.
    static let templates: [String: JSONValue] = [
        "operation_templates": [
            ["id": "login", "type": "login", "data": "A2", "factors": bothFactors],
            ["id": "knowledge", "type": "login", "data": "A2", "factors": ["possession_knowledge"]],
            ["id": "near", "type": "login", "data": "A2", "factors": bothFactors, "checks_proximity": true],
            [
                "id": "payment", "type": "payment", "data": "A1*A${amount}${currency}*I${iban}",
                "factors": bothFactors, "max_failures": 3,
            ],
        ],
        "mobile_templates": [
            [
                "id": "login",
                "texts": [
                    "en": ["title": "Log in", "message": "Is it you?"],
                    "cs": ["title": "Přihlášení", "message": "Jste to vy?"],
                ],
            ],
            [
                "id": "payment",
                "texts": [
                    "en": [
                        "title": "Payment", "message": "Pay ${amount} ${currency}?",
                        "attributes": [
                            [
                                "type": "AMOUNT", "id": "amount", "text": "Amount",
                                "params": ["amount": "amount", "currency": "currency"],
                            ]
                        ],
                    ]
                ],
            ],
        ],
    ]

    private static let bothFactors: JSONValue = ["possession_knowledge", "possession_biometry"]

    /// An operation that the back end starts, as it hears of it.
    func startOperation(_ template: String, _ more: [String: JSONValue] = [:]) throws -> JSONValue {
        let members: [String: JSONValue] = ["template": .string(template)]
        return try backEnd(.post, "/v2/operations", .object(members.merging(more) { $1 }))
    }

    /// An operation bound to a phone, and nothing but that said: the user follows from it.
    func startOperation(_ template: String, on phone: Device) throws -> String {
        let id = try #require(phone.activation).id
        let operation = try startOperation(template, ["registrationId": .string(id)])
        return try #require(operation["operationId"]?.string)
    }

    func operation(_ id: String) throws -> JSONValue { try backEnd(.get, "/v2/operations/\(id)") }
}
