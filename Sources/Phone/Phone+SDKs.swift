extension Phone {
    /// With which generation of the vendor's SDK the app of a platform is built; nil for one that has no choice.
    func sdk(of app: any PhoneApp.Type) -> String? { sdks?[app.platform] ?? app.sdks.first }

    /// - Parameter sdk: nil for that of the app.
    /// - Throws: ``PhoneRefusal``.
    package mutating func set(sdk: String?, of platform: String) throws {
        if let mistake = Self.mistake(inSDK: sdk, of: platform) { throw PhoneRefusal(.malformed, mistake) }
        var others = sdks ?? [:]
        others[platform] = sdk
        sdks = others.isEmpty ? nil : others
    }

    /// What is wrong with a choice, as an explanation; nil for a good one.
    static func mistake(inSDK name: String?, of platform: String) -> String? {
        let known = sdkChoices
        guard let app = known.first(where: { $0.platform == platform }) else {
            let names = known.map(\.platform).joined(separator: ", ")
            return
                "Expected a platform whose app has SDKs of several generations (\(names)), not “\(platform.prefix(60))”."
        }
        guard name.map(app.sdks.contains) ?? true else {
            let names = app.sdks.joined(separator: ", ")
            return
                "Expected a generation of the SDK of \(app.title) (\(names)), not “\((name ?? "").prefix(60))”."
        }
        return nil
    }

    /// The apps that have a choice; what is named first holds where nothing is said.
    package static var sdkChoices: [(platform: String, title: String, sdks: [String])] {
        PhoneCenter.apps.filter { !$0.sdks.isEmpty }.map { ($0.platform, $0.title, $0.sdks) }
    }

    /// What each of them is built with.
    package var chosenSDKs: [String: String] {
        Dictionary(
            uniqueKeysWithValues: Self.sdkChoices.map { ($0.platform, sdks?[$0.platform] ?? $0.sdks[0]) })
    }
}
