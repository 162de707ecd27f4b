import HTTP
import Phone
import PlatformKit

// The sheet with the settings of the phone.
extension PhonePage {
    var settings: [HTML] {
        let save: HTML = "<button class=\"primary\" name=\"action\" value=\"settings\">Save</button>"
        let delete = Self.grave(
            "Delete phone", value: "delete",
            "Delete the phone \(phone.name)? Its apps and their keys will be lost; the platforms are not told."
        )
        let fields = RecordForm(inputs: inputs + builds, typed: said?.typed).html
        return [
            "<h2>Settings</h2>", form("Settings", fields + [policies, save]), form("Delete", [delete]),
        ]
    }

    private var inputs: [ConsoleRecord.Input] {
        [
            ConsoleRecord.Input(
                "network", "Network", isRequired: true, choices: Phone.Network.allCases.map(\.rawValue),
                preset: phone.network.rawValue),
            ConsoleRecord.Input(
                "policy", "Policy", isRequired: true,
                choices: Self.policies(and: phone.policy), preset: phone.policy.rawValue),
            ConsoleRecord.Input(
                "keeps_alive", "Pings while the clock is moved", isRequired: true,
                choices: ["no", "yes"], preset: phone.keepsAlive ? "yes" : "no"),
            ConsoleRecord.Input(
                "clock_skew", "Clock ahead by, in seconds", preset: String(phone.clockSkew)),
        ]
    }

    private var builds: [ConsoleRecord.Input] {
        Phone.sdkChoices.map { platform, title, names in
            ConsoleRecord.Input(
                Self.sdkPrefix + platform, "SDK of \(title)", isRequired: true, choices: names,
                preset: phone.chosenSDKs[platform] ?? "")
        }
    }

    /// What it does by itself in single apps; nothing chosen is what it does elsewhere.
    private var policies: HTML {
        let inputs = Phone.policyScopes.map { scope, title in
            let own = phone.policies?[scope]
            return ConsoleRecord.Input(
                Self.policyPrefix + scope, title, choices: [Self.noPolicy] + Self.policies(and: own),
                preset: own?.rawValue ?? Self.noPolicy)
        }
        let isOpen: HTML = phone.policies == nil ? "" : " open"
        return """
            <details class="more"\(isOpen)><summary>Policies for single apps and kinds of requests</summary>
            \(RecordForm(inputs: inputs, typed: said?.typed).html)
            </details>
            """
    }

    private static func policies(and policy: PhonePolicy?) -> [String] {
        let usual = [
            "manual", "approve", "decline", "ignore", "approve after 3 s", "decline after 3 s",
            "wrong PIN twice, then right",
        ]
        guard let word = policy?.rawValue, !usual.contains(word) else { return usual }
        return usual + [word]
    }

    /// In front of the app in the name of an input.
    static let sdkPrefix = "sdk:"
    /// In front of app and kind in the name of an input.
    static let policyPrefix = "policy:"
    /// The choice of none.
    static let noPolicy = "as above"
}
