/// What a developer pastes to have an app or a back end speak to a platform, for one kind of caller.
package struct Setup: Sendable, Equatable {
    /// Who speaks to the platform, and so by which addresses and with which library.
    package enum Caller: String, Sendable, CaseIterable {
        case iOS = "ios"
        case android
        case web
        case backEnd = "back-end"
        case curl
    }

    /// Where a caller finds the platforms of a world.
    package struct Place: Sendable {
        package let caller: Caller
        /// The base URL of a mount path, without a slash at its end.
        package let url: @Sendable (_ mount: String) -> String

        package init(_ caller: Caller, url: @escaping @Sendable (_ mount: String) -> String) {
            (self.caller, self.url) = (caller, url)
        }
    }

    /// Something that is pasted as it is.
    package struct Snippet: Sendable, Equatable {
        /// What it is: `PowerAuth Mobile SDK, Swift`.
        package let title: String
        package let text: String

        package init(_ title: String, _ text: String) { (self.title, self.text) = (title, text) }
    }

    /// A value by the name that the vendor gives it: `mobileSdkConfig`.
    package typealias Value = ConsoleRecord.Fact

    package var values: [Value]
    package var snippets: [Snippet]
    /// What else the developer must know: a sentence each.
    package var notes: [String]

    package init(values: [Value], snippets: [Snippet] = [], notes: [String] = []) {
        (self.values, self.snippets, self.notes) = (values, snippets, notes)
    }
}

/// Says what its callers are set up with.
package protocol SetsUpCallers: Section {
    /// From what stands in this world; nil where no such caller speaks to it.
    func setup(for place: Setup.Place) throws -> Setup?
}

/// Says what apps for it are built with.
package protocol ConfiguresApps: Section {
    /// One for each application, or for each version of one.
    func appConfigurations() throws -> [AppConfiguration]
}

/// What an app for a platform is built with, as its developers get it from the vendor.
package struct AppConfiguration: Sendable, Equatable {
    /// The application, as the platform calls it: `my-app`.
    package let application: String
    /// The base path that the app is pointed at: `enrollment-server`.
    package let mount: String
    /// By the vendor's names: `mobileSdkConfig`.
    package let values: [String: String]

    package init(application: String, mount: String, values: [String: String]) {
        (self.application, self.mount, self.values) = (application, mount, values)
    }
}
