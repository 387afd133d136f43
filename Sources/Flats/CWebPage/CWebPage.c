#include "CWebPage.h"

// `#embed` is part of C23, and an extension of clang in older modes.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char detail_add_js[] = {
#embed "Assets/detail/add.js"
};
static const unsigned char detail_dialogs_js[] = {
#embed "Assets/detail/dialogs.js"
};
static const unsigned char detail_editors_js[] = {
#embed "Assets/detail/editors.js"
};
static const unsigned char detail_form_js[] = {
#embed "Assets/detail/form.js"
};
static const unsigned char detail_history_js[] = {
#embed "Assets/detail/history.js"
};
static const unsigned char detail_markdown_js[] = {
#embed "Assets/detail/markdown.js"
};
static const unsigned char detail_moments_js[] = {
#embed "Assets/detail/moments.js"
};
static const unsigned char detail_more_js[] = {
#embed "Assets/detail/more.js"
};
static const unsigned char detail_pane_js[] = {
#embed "Assets/detail/pane.js"
};
static const unsigned char detail_requests_js[] = {
#embed "Assets/detail/requests.js"
};
static const unsigned char detail_source_js[] = {
#embed "Assets/detail/source.js"
};
static const unsigned char icon_svg[] = {
#embed "Assets/icon.svg"
};
static const unsigned char index_html[] = {
#embed "Assets/index.html"
};
static const unsigned char later_css[] = {
#embed "Assets/later.css"
};
static const unsigned char later_actions_js[] = {
#embed "Assets/later/actions.js"
};
static const unsigned char later_choices_js[] = {
#embed "Assets/later/choices.js"
};
static const unsigned char later_columns_js[] = {
#embed "Assets/later/columns.js"
};
static const unsigned char later_keys_js[] = {
#embed "Assets/later/keys.js"
};
static const unsigned char later_motion_js[] = {
#embed "Assets/later/motion.js"
};
static const unsigned char later_summary_js[] = {
#embed "Assets/later/summary.js"
};
static const unsigned char list_columns_js[] = {
#embed "Assets/list/columns.js"
};
static const unsigned char list_connection_js[] = {
#embed "Assets/list/connection.js"
};
static const unsigned char list_controls_js[] = {
#embed "Assets/list/controls.js"
};
static const unsigned char list_list_js[] = {
#embed "Assets/list/list.js"
};
static const unsigned char list_main_js[] = {
#embed "Assets/list/main.js"
};
static const unsigned char list_rows_js[] = {
#embed "Assets/list/rows.js"
};
static const unsigned char list_sharing_js[] = {
#embed "Assets/list/sharing.js"
};
static const unsigned char list_status_js[] = {
#embed "Assets/list/status.js"
};
static const unsigned char list_text_js[] = {
#embed "Assets/list/text.js"
};
static const unsigned char list_view_js[] = {
#embed "Assets/list/view.js"
};
static const unsigned char list_window_js[] = {
#embed "Assets/list/window.js"
};
static const unsigned char openapi_json[] = {
#embed "Assets/openapi.json"
};
static const unsigned char page_css[] = {
#embed "Assets/page.css"
};
static const unsigned char plain_css[] = {
#embed "Assets/plain.css"
};

#define ASSET(name, bytes) {name, bytes, sizeof bytes}

static const struct CWebPageAsset assets[] = {
    ASSET("detail/add.js", detail_add_js),
    ASSET("detail/dialogs.js", detail_dialogs_js),
    ASSET("detail/editors.js", detail_editors_js),
    ASSET("detail/form.js", detail_form_js),
    ASSET("detail/history.js", detail_history_js),
    ASSET("detail/markdown.js", detail_markdown_js),
    ASSET("detail/moments.js", detail_moments_js),
    ASSET("detail/more.js", detail_more_js),
    ASSET("detail/pane.js", detail_pane_js),
    ASSET("detail/requests.js", detail_requests_js),
    ASSET("detail/source.js", detail_source_js),
    ASSET("icon.svg", icon_svg),
    ASSET("index.html", index_html),
    ASSET("later.css", later_css),
    ASSET("later/actions.js", later_actions_js),
    ASSET("later/choices.js", later_choices_js),
    ASSET("later/columns.js", later_columns_js),
    ASSET("later/keys.js", later_keys_js),
    ASSET("later/motion.js", later_motion_js),
    ASSET("later/summary.js", later_summary_js),
    ASSET("list/columns.js", list_columns_js),
    ASSET("list/connection.js", list_connection_js),
    ASSET("list/controls.js", list_controls_js),
    ASSET("list/list.js", list_list_js),
    ASSET("list/main.js", list_main_js),
    ASSET("list/rows.js", list_rows_js),
    ASSET("list/sharing.js", list_sharing_js),
    ASSET("list/status.js", list_status_js),
    ASSET("list/text.js", list_text_js),
    ASSET("list/view.js", list_view_js),
    ASSET("list/window.js", list_window_js),
    ASSET("page.css", page_css),
    ASSET("plain.css", plain_css),
};

const struct CWebPageAsset *CWebPageAssetAt(size_t index) {
  return index < sizeof assets / sizeof *assets ? &assets[index] : NULL;
}

const struct CWebPageAsset *CWebPageDescription(void) {
  static const struct CWebPageAsset description = ASSET("openapi.json", openapi_json);
  return &description;
}
