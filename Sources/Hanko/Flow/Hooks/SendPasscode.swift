extension FlowHook {
    /// Before `passcode_confirmation`: takes a token, and mails a code unless one for the address is still good.
    ///
    /// Without a token the state is shown with `rate_limit_exceeded` and no mail goes out. Shown with an error, the state mails
    /// nothing. Source: Hanko 2.7, Flow API.
    static let sendPasscode = FlowHook { step in
        guard step.mishap == nil else { return }
        do {
            try step.countMail()
        } catch let refusal as FlowRefusal {
            step.mishap = refusal
            return
        }
        if let passcode = step.flow.passcode, passcode.address == step.flow.stash.email,
            passcode.isUsable(at: step.now)
        {
            step.note(
                "passcode kept", about: passcode.address,
                "The passcode that was mailed to \(passcode.address) in this flow is still good; no other is sent."
            )
            return
        }
        try step.sendPasscode()
    }
}
