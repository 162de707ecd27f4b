import Essentials

/// How a device behaves around the approval: screens before and after it, buttons, phone calls, visual hints.
struct UserInterface: Sendable {
    /// Where the operation checks proximity, and where it does not: there a screen that scans a code has no place.
    private let withProximity: TemplateJSON?
    private let withoutProximity: TemplateJSON?

    private static let screen = "preApprovalScreen"
    private static let screens = "preApprovalScreens"

    /// - Parameter ui: of a mobile template.
    init(_ ui: JSONValue) {
        let members = ui.object ?? [:]
        withProximity = TemplateJSON(Self.inBothSpellings(members))
        withoutProximity = TemplateJSON(Self.withoutScan(members))
    }

    /// What the risk flags of an operation say: `X` swaps the buttons, `C` forbids approval in a phone call, `F` warns of fraud.
    init(riskFlags: String) {
        var members: [String: JSONValue] = [:]
        if riskFlags.contains("X") { members["flipButtons"] = true }
        if riskFlags.contains("C") { members["blockApprovalOnCall"] = true }
        if riskFlags.contains("F") { members[Self.screen] = ["type": "WARNING", "approvalType": "SLIDER"] }
        withProximity = TemplateJSON(members)
        withoutProximity = withProximity
    }

    /// JSON text; nil when nothing is said.
    func json(with parameters: [String: String], checksProximity: Bool) -> [UInt8]? {
        (checksProximity ? withProximity : withoutProximity)?.bytes(with: parameters)
    }

    /// A screen that scans a code stands in the older member and in the newer one, so that every generation of SDKs finds it.
    private static func inBothSpellings(_ members: [String: JSONValue]) -> [String: JSONValue] {
        var members = members
        let list = members[screens]?.array
        if list == nil, let single = members[screen], single.isScan {
            members[screens] = [.object((single.object ?? [:]).merging(["id": "scan"]) { own, _ in own })]
        } else if members[screen] == nil, let scan = list?.first(where: \.isScan) {
            members[screen] = scan.only(["type", "heading", "message", "items", "approvalType"])
        }
        return members
    }

    private static func withoutScan(_ members: [String: JSONValue]) -> [String: JSONValue] {
        var members = members
        if members[screen]?.isScan == true { members[screen] = nil }
        if let list = members[screens]?.array {
            let left = list.filter { !$0.isScan }
            members[screens] = left.isEmpty ? nil : .array(left)
        }
        return members
    }
}

extension JSONValue {
    fileprivate var isScan: Bool { self["type"] == "QR_SCAN" }

    fileprivate func only(_ names: Set<String>) -> JSONValue {
        .object((object ?? [:]).filter { names.contains($0.key) })
    }
}
