import Essentials
import PlatformKit
import Testing

@testable import PowerAuth

@Suite struct MobileTemplateTests {
    private func attributes(
        _ list: [AttributeTemplate], _ parameters: [String: String], language: String = "en"
    ) throws -> [JSONValue] {
        let template = ParsedMobileTemplate(
            MobileTemplate.Text(title: "", message: "", attributes: list))
        let form = try JSONValue(parsing: template.formData(with: parameters, language: language))
        return try #require(form["attributes"]?.array)
    }

    private func ui(_ json: String, flags: String = "", seed: [UInt8]? = nil) throws -> JSONValue? {
        let template = ParsedMobileTemplate(
            MobileTemplate.Text(
                title: "", message: "",
                ui: json.isEmpty ? nil : try JSONValue(parsing: Array(json.utf8)).object))
        let operation = Operation(
            id: "o", user: nil, activation: nil, applications: ["a"], template: "t", type: "t", data: "A2",
            parameters: ["n": "a\"b"], additionalData: [:], state: .pending, types: [.possessionKnowledge],
            riskFlags: flags, failures: 0, maxFailures: 5, proximitySeed: seed.map(Base64Bytes.init),
            flag: nil, externalID: nil,
            language: "en", createdAt: Date(timeIntervalSince1970: 0),
            expiresAt: Date(timeIntervalSince1970: 1))
        return try template.ui(of: operation).map { try JSONValue(parsing: $0) }
    }

    @Test func `each type of attribute has its members`() throws {
        let shown = try attributes(
            [
                AttributeTemplate(
                    type: "AMOUNT_CONVERSION", id: "c", text: "C",
                    params: [
                        "sourceAmount": "a", "sourceCurrency": "e", "targetAmount": "b",
                        "targetCurrency": "u", "dynamic": "d",
                    ]),
                AttributeTemplate(type: "KEY_VALUE", id: "k", text: "K", params: ["value": "v"]),
                AttributeTemplate(type: "HEADING", id: "h", text: "H"),
                AttributeTemplate(type: "ALERT", id: "l", text: "L", params: ["type": "v", "title": "v"]),
                AttributeTemplate(type: "IMAGE", id: "i", text: "I", params: ["thumbnailUrl": "v"]),
                AttributeTemplate(type: "PARTY_INFO", id: "p", text: "P", params: ["name": "v"]),
                AttributeTemplate(type: "NEW_ONE", id: "x", text: "X", params: ["value": "v"]),
                AttributeTemplate(type: "NOTE", id: "n", text: "N", params: ["note": "missing"]),
            ], ["a": "1", "e": "EUR", "b": "2.5", "u": "USD", "d": "true", "v": "value"])
        #expect(
            shown == [
                [
                    "type": "AMOUNT_CONVERSION", "id": "c", "label": "C", "dynamic": true, "sourceAmount": 1,
                    "sourceAmountFormatted": "1.00", "sourceCurrency": "EUR", "sourceCurrencyFormatted": "€",
                    "sourceValueFormatted": "€1.00", "targetAmount": .number(2.5),
                    "targetAmountFormatted": "2.50", "targetCurrency": "USD", "targetCurrencyFormatted": "$",
                    "targetValueFormatted": "$2.50",
                ],
                ["type": "KEY_VALUE", "id": "k", "label": "K", "value": "value"],
                ["type": "HEADING", "id": "h", "label": "H", "level": 0],
                ["type": "ALERT", "id": "l", "label": "L", "alertType": "INFO", "title": "value"],
                ["type": "IMAGE", "id": "i", "label": "I", "thumbnailUrl": "value"],
                ["type": "PARTY_INFO", "id": "p", "label": "P", "partyInfo": ["name": "value"]],
                ["type": "NEW_ONE", "id": "x", "label": "X", "value": "value"],
            ])
    }

    @Test func `parameters are escaped in the title, and whole in objects`() throws {
        let template = ParsedMobileTemplate(
            MobileTemplate.Text(
                title: "“${n}” ${unknown}", message: "${n", attributes: [],
                resultTexts: ["success": "Hi ${n}"]))
        let form = try JSONValue(parsing: template.formData(with: ["n": "a\"b"], language: "en"))
        #expect(form["title"] == "“a\\\"b” ${unknown}" && form["message"] == "${n")
        #expect(form["resultTexts"]?["success"] == "Hi a\"b")
    }

    @Test func `risk flags speak where the template does not`() throws {
        #expect(
            try ui("", flags: "XCF") == [
                "flipButtons": true, "blockApprovalOnCall": true,
                "preApprovalScreen": ["type": "WARNING", "approvalType": "SLIDER"],
            ])
        #expect(try ui("", flags: "X") == ["flipButtons": true])
        #expect(try ui("") == nil)
        #expect(try ui(#"{"flipButtons": false}"#, flags: "XCF") == ["flipButtons": false])
    }

    @Test func `a screen that scans is there with a proximity check alone, in both spellings`() throws {
        let single = #"{"preApprovalScreen": {"type": "QR_SCAN", "heading": "${n}"}, "flipButtons": true}"#
        #expect(try ui(single) == ["flipButtons": true])
        let with = try #require(try ui(single, seed: Array(repeating: 1, count: 16)))
        #expect(with["preApprovalScreen"]?["heading"] == "a\"b")
        #expect(with["preApprovalScreens"]?.array?.map { $0["type"] } == ["QR_SCAN"])
        let plural =
            #"{"preApprovalScreens": [{"id": "s", "type": "QR_SCAN", "heading": "h", "backButton": true}]}"#
        #expect(try ui(plural) == nil)
        let both = try #require(try ui(plural, seed: Array(repeating: 1, count: 16)))
        #expect(both["preApprovalScreen"] == ["type": "QR_SCAN", "heading": "h"])
    }

    @Test func `screens after the approval and hints are passed on, null and all`() throws {
        let json =
            #"{"postApprovalScreen": {"type": "MERCHANT_REDIRECT", "payload": {"redirectUrl": "x?${n}", "countdown": 5}}, "templates": {"list": {"image": null}}}"#
        #expect(
            try ui(json) == [
                "postApprovalScreen": [
                    "type": "MERCHANT_REDIRECT", "payload": ["redirectUrl": "x?a\"b", "countdown": 5],
                ], "templates": ["list": ["image": .null]],
            ])
    }

    @Test func `the language is the device's, then English, then any`() {
        func all(_ languages: String...) -> Templates {
            let texts = languages.map { ($0, MobileTemplate.Text(title: $0, message: "")) }
            return Templates(
                operations: [],
                mobile: [MobileTemplate(id: "t", texts: Dictionary(uniqueKeysWithValues: texts))])
        }
        let templates = all("cs", "en")
        #expect(templates.mobile("t", in: "cs")?.title(with: [:]) == "cs")
        #expect(templates.mobile("t", in: "de")?.title(with: [:]) == "en")
        let few = all("sk", "cs")
        #expect(few.mobile("t", in: "de")?.title(with: [:]) == "cs")
        #expect(few.mobile("other", in: "de") == nil)
    }

    @Test(
        arguments: [
            (nil, "en"), ("cs-CZ,cs;q=0.9,en;q=0.8", "cs"), ("EN-us", "en"), ("de;q=0.5, cs", "cs"),
            ("*", "en"),
            ("", "en"), (";;;,,,", "en"), ("cs;q=x", "en"), ("de;q=0", "en"),
        ] as [(String?, String)])
    func `the language of the header with the most weight counts`(_ header: String?, _ language: String) {
        #expect(AcceptLanguage.primary(of: header) == language)
    }

    // Days that calendars count wrong. Source: GNU date.
    @Test(arguments: [
        (0.0, "1970-01-01T00:00:00+0000"), (951_782_399.999, "2000-02-28T23:59:59+0000"),
        (951_868_799, "2000-02-29T23:59:59+0000"), (4_107_542_400, "2100-03-01T00:00:00+0000"),
        (253_402_300_799, "9999-12-31T23:59:59+0000"), (-1, "1969-12-31T23:59:59+0000"),
        (1_767_323_045.678, "2026-01-02T03:04:05+0000"),
    ])
    func `times have whole seconds`(_ seconds: Double, _ text: String) {
        #expect(Timestamp.text(Date(timeIntervalSince1970: seconds), .seconds) == text)
    }
}
