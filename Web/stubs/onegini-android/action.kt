package com.onegini.mobile.sdk.android.handlers.action

import com.onegini.mobile.sdk.android.handlers.request.callback.*
import com.onegini.mobile.sdk.android.model.entity.CustomInfo

/** Of an identity provider of the app's own: the only step, or the second of two. */
interface OneginiCustomRegistrationAction {
    fun finishRegistration(callback: OneginiCustomRegistrationCallback, customInfo: CustomInfo?)
}

interface OneginiCustomTwoStepRegistrationAction : OneginiCustomRegistrationAction {
    fun initRegistration(callback: OneginiCustomRegistrationCallback, customInfo: CustomInfo?)
}

// Authenticators of the app's own are not emulated: these are never called.

interface OneginiCustomAuthRegistrationAction {
    fun finishRegistration(callback: OneginiCustomAuthRegistrationCallback)
}

interface OneginiCustomAuthDeregistrationAction {
    fun finishDeregistration(callback: OneginiCustomAuthDeregistrationCallback, data: String?)
}

interface OneginiCustomAuthAuthenticationAction {
    fun finishAuthentication(callback: OneginiCustomAuthAuthenticationCallback, data: String?)
}
